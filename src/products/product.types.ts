import { ArgsType, Field, Int } from 'type-graphql';
import type { Environment } from '../core/environment.js';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { NodeType } from '../graphql-toolkit/node.js';
import { Entries } from '../graphql-toolkit/rows.js';
import { Input, PositiveInteger, Text } from '../graphql-toolkit/rules.js';
import { Charged } from '../ledger/charged.types.js';
import type { ProductListing } from '../providers/ports/leads.port.js';
import type { CategoryListing } from './product.catalogue.js';

@Input({ description: 'Product whose links to fetch.' })
export class ProductDetailsInput {
  @Field({ description: 'Product ID from `products`.' })
  @Text(64)
  productId!: string;

  @Field(() => Int, { nullable: true, description: 'Product category ID.' })
  @PositiveInteger()
  categoryId?: number;

  @Field(() => Int, { nullable: true, description: 'Card ID, for credit cards only.' })
  @PositiveInteger()
  cardId?: number;
}

@ArgsType()
export class ProductsArguments {
  @Field(() => Int, { description: 'Category ID from `productCategories`.' })
  @PositiveInteger()
  categoryId!: number;
}

@Output({ description: 'Links to the page and the application form of a product.' })
export class ProductDetails {
  @Field({ description: 'URL of the product page.' })
  url!: string;

  @Field({ description: 'URL where a customer applies for the product.' })
  campaignUrl!: string;
}

@NodeType<Product>(
  'prd',
  { description: 'Financial product.' },
  ({ environment, categoryId, productId }) => `${environment}_${categoryId}_${productId}`,
)
export class Product {
  /** Environment and category that list the product. Both are required for its details. */
  environment!: Environment;
  categoryId!: number;
  /** Error codes that were already returned for the list of this product. */
  failed!: Set<string>;

  @Field({ description: 'Product ID, for `createLead` and `productDetails`.' })
  productId!: string;

  @Field({ description: 'Name of the product.' })
  title!: string;

  @Field({ description: 'Short description of the offer. Can be empty.' })
  subTitle!: string;

  @Field({ description: 'URL of the logo. Can be empty.' })
  logo!: string;
}

export const productView = (
  { environment, categoryId, failed }: Pick<Product, 'environment' | 'categoryId' | 'failed'>,
  { productId, title, subTitle, logo }: ProductListing,
): Product => ({
  environment,
  categoryId,
  failed,
  productId,
  title,
  subTitle,
  logo,
});

@NodeType<ProductCategory>(
  'cat',
  { description: 'Category of products.' },
  ({ environment, categoryId }) => `${environment}_${categoryId}`,
)
export class ProductCategory {
  /** Environment of the category. Each environment has its own list. */
  environment!: Environment;

  @Field(() => Int, { description: 'Category ID, for `products`.' })
  categoryId!: number;

  @Field({ description: 'Name of the category.' })
  title!: string;
}

export const categoryView = (environment: Environment, { id, title }: CategoryListing): ProductCategory => ({
  environment,
  categoryId: id,
  title,
});

@Output({ implements: Charged, description: 'Product categories available to the account. Never billed.' })
export class ProductCategoriesResult extends Charged {
  @Field(() => [ProductCategory], { description: 'Categories in the provider’s order.' })
  @Entries(10)
  categories!: ProductCategory[];
}

@Output({ implements: Charged, description: 'Products of a category. Never billed.' })
export class ProductsResult extends Charged {
  @Field(() => [Product], {
    description: 'Products, in the sequence in which the provider returns them. Empty if there are none.',
  })
  @Entries(20)
  products!: Product[];
}

@Output({ implements: Charged, description: 'Links of a product. Never billed.' })
export class ProductDetailsResult extends Charged {
  @Field({ description: 'URL of the product page.' })
  url!: string;

  @Field({ description: 'URL where a customer applies for the product.' })
  campaignUrl!: string;
}
