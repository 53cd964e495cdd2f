import type { Room } from '../core/room.js';
import type { Providers } from '../providers/providers.js';
import type { SettingsService } from '../settings/settings.service.js';
import { ProductCatalogue } from './product.catalogue.js';
import { ProductLoaders } from './product.loaders.js';
import { productNodes } from './product.nodes.js';
import { ProductCategoryResolver, ProductResolver, ProductsResolver } from './product.resolver.js';
import { ProductDetailsService } from './product-details.service.js';

/** Creates the module for the catalog of financial products. */
export function createProducts(settings: SettingsService, ports: Providers['leads']) {
  const catalogue = new ProductCatalogue(ports);
  const loaders = new ProductLoaders(new ProductDetailsService(ports, settings));
  const details = new ProductResolver(loaders);
  const api = [new ProductsResolver(catalogue, loaders), new ProductCategoryResolver(catalogue), details];
  const { Product, ProductCategory } = productNodes(catalogue);
  const room: Room = {
    resolvers: { api, console: [details] },
    // no response of the console contains a category
    nodes: { api: { Product, ProductCategory }, console: { Product } },
  };
  return { catalogue, room };
}
