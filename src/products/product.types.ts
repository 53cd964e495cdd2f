import { ArgsType, Field, Int } from 'type-graphql';
import type { Environment } from '../core/environment.js';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { NodeType } from '../graphql-toolkit/node.js';
import { Entries } from '../graphql-toolkit/rows.js';
import { Input, PositiveInteger, Text } from '../graphql-toolkit/rules.js';
import { Charged } from '../ledger/charged.types.js';
import type { ProductListing } from '../providers/ports/leads.port.js';
import type { CategoryListing } from './product.catalogue.js';

@Input({ description: 'One product.' })
export class ProductDetailsInput {
  @Field({ description: 'From products.' })
  @Text(64)
  productId!: string;

  @Field(() => Int, { nullable: true, description: 'Product category id.' })
  @PositiveInteger()
  categoryId?: number;

  @Field(() => Int, { nullable: true, description: 'Card id; credit cards only.' })
  @PositiveInteger()
  cardId?: number;
}

@ArgsType()
export class ProductsArguments {
  @Field(() => Int, { description: 'From productCategories.' })
  @PositiveInteger()
  categoryId!: number;
}

@Output({ description: 'Where a product is described and applied for.' })
export class ProductDetails {
  @Field({ description: 'The page of the product.' })
  url!: string;

  @Field({ description: 'Where a customer applies.' })
  campaignUrl!: string;
}

@NodeType<Product>(
  'prd',
  { description: 'A financial product.' },
  ({ environment, categoryId, productId }) => `${environment}_${categoryId}_${productId}`,
)
export class Product {
  /** Where it was listed: its details are asked for with that. */
  environment!: Environment;
  categoryId!: number;
  /** What has failed already of the list that it came in. */
  failed!: Set<string>;

  @Field({ description: 'For createLead and productDetails.' })
  productId!: string;

  @Field({ description: 'Name.' })
  title!: string;

  @Field({ description: 'What it offers; may be empty.' })
  subTitle!: string;

  @Field({ description: 'Address of the logo; may be empty.' })
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
  { description: 'A category of products.' },
  ({ environment, categoryId }) => `${environment}_${categoryId}`,
)
export class ProductCategory {
  /** Whose list it is of: each environment has its own. */
  environment!: Environment;

  @Field(() => Int, { description: 'For products.' })
  categoryId!: number;

  @Field({ description: 'Name.' })
  title!: string;
}

export const categoryView = (environment: Environment, { id, title }: CategoryListing): ProductCategory => ({
  environment,
  categoryId: id,
  title,
});

@Output({ implements: Charged, description: 'Every category available to the account. Never billed.' })
export class ProductCategoriesResult extends Charged {
  @Field(() => [ProductCategory], { description: 'In the provider’s order.' })
  @Entries(10)
  categories!: ProductCategory[];
}

@Output({ implements: Charged, description: 'The products of a category; empty when there are none. Never billed.' })
export class ProductsResult extends Charged {
  @Field(() => [Product], { description: 'In the provider’s order.' })
  @Entries(20)
  products!: Product[];
}

@Output({ implements: Charged, description: 'The links of one product. Never billed.' })
export class ProductDetailsResult extends Charged {
  @Field({ description: 'The page of the product.' })
  url!: string;

  @Field({ description: 'Where a customer applies.' })
  campaignUrl!: string;
}
