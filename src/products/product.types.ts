import { ArgsType, Field, Int } from 'type-graphql';
import { Charged, Output } from '../graphql-toolkit/graphql-types.js';
import { Input, PositiveInteger, Text } from '../graphql-toolkit/rules.js';

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

@Output({ description: 'A financial product.' })
export class Product {
  /** The category that it was listed in: its details are asked for with it. */
  categoryId!: number;

  @Field({ description: 'For createLead and productDetails.' })
  productId!: string;

  @Field({ description: 'Name.' })
  title!: string;

  @Field({ description: 'What it offers; may be empty.' })
  subTitle!: string;

  @Field({ description: 'Address of the logo; may be empty.' })
  logo!: string;
}

@Output({ description: 'A category of products.' })
export class ProductCategory {
  @Field(() => Int, { description: 'For products.' })
  id!: number;

  @Field({ description: 'Name.' })
  title!: string;
}

@Output({ implements: Charged, description: 'Every category available to the account. Never billed.' })
export class ProductCategoriesResult extends Charged {
  @Field(() => [ProductCategory], { description: 'In the provider’s order.' })
  categories!: ProductCategory[];
}

@Output({ implements: Charged, description: 'The products of a category; empty when there are none. Never billed.' })
export class ProductsResult extends Charged {
  @Field(() => [Product], { description: 'In the provider’s order.' })
  products!: Product[];
}

@Output({ implements: Charged, description: 'The links of one product. Never billed.' })
export class ProductDetailsResult extends Charged {
  @Field({ description: 'The page of the product.' })
  url!: string;

  @Field({ description: 'Where a customer applies.' })
  campaignUrl!: string;
}
