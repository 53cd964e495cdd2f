import { FieldResolver, Resolver, Root } from 'type-graphql';
import type { ProductCatalogue } from '../products/product.catalogue.js';
import { Product, productView } from '../products/product.types.js';
import { Lead } from './lead.types.js';

/** The product that a lead is for. */
@Resolver(() => Lead)
export class LeadProductResolver {
  constructor(private readonly catalogue: ProductCatalogue) {}

  @FieldResolver(() => Product, { nullable: true, description: 'What it is for; null when it is not listed any more.' })
  async product(@Root() { environment, productId }: Lead): Promise<Product | null> {
    const found = productId === null ? undefined : await this.catalogue.find(environment, productId);
    return found ? productView({ environment, categoryId: found.categoryId, failed: new Set() }, found) : null;
  }
}
