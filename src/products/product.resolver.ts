import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { developerOf, type RequestContext } from '../core/context.js';
import { ZERO } from '../core/money.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import type { ProductCatalogue } from './product.catalogue.js';
import type { ProductLoaders } from './product.loaders.js';
import {
  Product,
  ProductCategoriesResult,
  ProductCategory,
  ProductDetails,
  ProductDetailsInput,
  ProductDetailsResult,
  ProductsArguments,
  ProductsResult,
} from './product.types.js';

@Resolver(() => Product)
export class ProductResolver {
  readonly #catalogue: ProductCatalogue;
  readonly #loaders: ProductLoaders;
  readonly #ledger: LedgerService;

  constructor(catalogue: ProductCatalogue, loaders: ProductLoaders, ledger: LedgerService) {
    this.#catalogue = catalogue;
    this.#loaders = loaders;
    this.#ledger = ledger;
  }

  @Query(() => ProductCategoriesResult, {
    nullable: true,
    description: 'Every category available to the account; the authority for category ids. Never billed.',
  })
  async productCategories(@Ctx() context: RequestContext): Promise<ProductCategoriesResult> {
    const categories = await this.#catalogue.categories(developerOf(context).environment);
    return { categories: [...categories], ...(await this.#free(context, 'Product categories fetched.')) };
  }

  @Query(() => ProductsResult, { nullable: true, description: 'The products of a category. Never billed.' })
  async products(
    @Arguments(ProductsArguments) { categoryId }: ProductsArguments,
    @Ctx() context: RequestContext,
  ): Promise<ProductsResult> {
    const products = await productsOf(this.#catalogue, context, categoryId);
    return { products, ...(await this.#free(context, 'Products fetched.')) };
  }

  @Query(() => ProductDetailsResult, { nullable: true, description: 'The links of one product. Never billed.' })
  async productDetails(
    @Arg('input', () => ProductDetailsInput, { description: 'Which product.' }) input: ProductDetailsInput,
    @Ctx() context: RequestContext,
  ): Promise<ProductDetailsResult> {
    const links = await this.#loaders.detailsOf(context).load(input);
    return { ...links, ...(await this.#free(context, 'Product details fetched.')) };
  }

  @FieldResolver(() => ProductDetails, { nullable: true, description: 'The links of the product.' })
  details(@Root() { productId, categoryId }: Product, @Ctx() context: RequestContext): Promise<ProductDetails> {
    return this.#loaders.detailsOf(context).load({ productId, categoryId });
  }

  async #free(context: RequestContext, message: string) {
    const { developerId, environment } = developerOf(context);
    return { message, fee: ZERO, walletBalance: await this.#ledger.balance(developerId, environment) };
  }
}

@Resolver(() => ProductCategory)
export class ProductCategoryResolver {
  readonly #catalogue: ProductCatalogue;

  constructor(catalogue: ProductCatalogue) {
    this.#catalogue = catalogue;
  }

  @FieldResolver(() => [Product], { nullable: true, description: 'The products of the category.' })
  products(@Root() { id }: ProductCategory, @Ctx() context: RequestContext): Promise<Product[]> {
    return productsOf(this.#catalogue, context, id);
  }
}

/** Each with the category it was listed in, so that its details can be asked for. */
async function productsOf(
  catalogue: ProductCatalogue,
  context: RequestContext,
  categoryId: number,
): Promise<Product[]> {
  const listings = await catalogue.products(developerOf(context).environment, categoryId);
  return listings.map((listing) => ({ ...listing, categoryId }));
}
