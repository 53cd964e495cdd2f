import type { Room } from '../core/room.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import type { Providers } from '../providers/providers.js';
import type { SettingsService } from '../settings/settings.service.js';
import { ProductCatalogue } from './product.catalogue.js';
import { ProductLoaders } from './product.loaders.js';
import { ProductCategoryResolver, ProductResolver } from './product.resolver.js';
import { ProductDetailsService } from './product-details.service.js';

/** The catalogue of financial products. */
export function createProducts(ledger: LedgerService, settings: SettingsService, ports: Providers['leads']): Room {
  const catalogue = new ProductCatalogue(ports);
  const loaders = new ProductLoaders(new ProductDetailsService(ports, settings));
  return { resolvers: [new ProductResolver(catalogue, loaders, ledger), new ProductCategoryResolver(catalogue)] };
}
