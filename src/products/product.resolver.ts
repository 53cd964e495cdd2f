import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { developerOf, type RequestContext } from '../core/context.js';
import type { Environment } from '../core/environment.js';
import { AppError } from '../core/errors.js';
import { ZERO } from '../core/money.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import { Entries, ExtraReads, READ_SEPARATELY } from '../graphql-toolkit/rows.js';
import type { ProductCatalogue } from './product.catalogue.js';
import type { ProductLoaders } from './product.loaders.js';
import {
  categoryView,
  Product,
  ProductCategoriesResult,
  ProductCategory,
  ProductDetails,
  ProductDetailsInput,
  ProductDetailsResult,
  ProductsArguments,
  ProductsResult,
  productView,
} from './product.types.js';

const FREE = { fee: ZERO, replayed: false };

/** Product catalog of the API. */
@Resolver()
export class ProductsResolver {
  constructor(
    private readonly catalogue: ProductCatalogue,
    private readonly loaders: ProductLoaders,
  ) {}

  @Query(() => ProductCategoriesResult, {
    nullable: true,
    description: 'Product categories available to the account, with their IDs. Never billed.',
  })
  async productCategories(@Ctx() context: RequestContext): Promise<ProductCategoriesResult> {
    const { environment } = developerOf(context);
    const categories = await this.catalogue.categories(environment);
    return { ...FREE, categories: categories.map((category) => categoryView(environment, category)) };
  }

  @Query(() => ProductsResult, { nullable: true, description: 'Products of a category. Never billed.' })
  async products(
    @Arguments(ProductsArguments) { categoryId }: ProductsArguments,
    @Ctx() context: RequestContext,
  ): Promise<ProductsResult> {
    const { environment } = developerOf(context);
    return { ...FREE, products: await productsOf(this.catalogue, environment, categoryId) };
  }

  @Query(() => ProductDetailsResult, { nullable: true, description: 'Links of a product. Never billed.' })
  async productDetails(
    @Arg('input', () => ProductDetailsInput, { description: 'Product, with the category and card ID if needed.' })
    input: ProductDetailsInput,
    @Ctx() context: RequestContext,
  ): Promise<ProductDetailsResult> {
    const links = await this.loaders.of(context).load({ ...input, environment: developerOf(context).environment });
    return { ...FREE, ...links };
  }
}

/** Fields of a product that require another provider call. */
@Resolver(() => Product)
export class ProductResolver {
  constructor(private readonly loaders: ProductLoaders) {}

  @FieldResolver(() => ProductDetails, {
    nullable: true,
    description:
      'Links of the product. If several products of a list fail for the same reason, one error is returned and the other links are null.',
  })
  @ExtraReads(READ_SEPARATELY)
  async details(@Root() product: Product, @Ctx() context: RequestContext): Promise<ProductDetails | null> {
    const { environment, productId, categoryId, failed } = product;
    try {
      return await this.loaders.of(context).load({ environment, productId, categoryId });
    } catch (error) {
      const code = error instanceof AppError ? error.code : 'INTERNAL';
      if (failed.has(code)) return null;
      failed.add(code);
      throw error;
    }
  }
}

@Resolver(() => ProductCategory)
export class ProductCategoryResolver {
  constructor(private readonly catalogue: ProductCatalogue) {}

  @FieldResolver(() => [Product], { nullable: true, description: 'Products of the category.' })
  @Entries(20)
  @ExtraReads(READ_SEPARATELY)
  products(@Root() { environment, categoryId }: ProductCategory): Promise<Product[]> {
    return productsOf(this.catalogue, environment, categoryId);
  }
}

/** Returns the products with the category that lists them, which their details require. */
async function productsOf(
  catalogue: ProductCatalogue,
  environment: Environment,
  categoryId: number,
): Promise<Product[]> {
  const listings = await catalogue.products(environment, categoryId);
  const list = { environment, categoryId, failed: new Set<string>() };
  return listings.map((listing) => productView(list, listing));
}
