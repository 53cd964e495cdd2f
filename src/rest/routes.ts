import type { RestRoute } from './route.js';
import { authRoutes } from './routes/auth.routes.js';
import { cardBillRoutes } from './routes/card-bills.routes.js';
import { codeTableRoutes } from './routes/code-tables.routes.js';
import { leadRoutes } from './routes/leads.routes.js';
import { orderRoutes } from './routes/orders.routes.js';
import { planRoutes } from './routes/plans.routes.js';
import { productRoutes } from './routes/products.routes.js';
import { rechargeRoutes } from './routes/recharge.routes.js';
import { sandboxRoutes } from './routes/sandbox.routes.js';
import { walletRoutes } from './routes/wallet.routes.js';
import { webhookRoutes } from './routes/webhooks.routes.js';

/** REST paths of interface.md 4, one entry each. */
export const routes: readonly RestRoute[] = [
  ...authRoutes,
  ...rechargeRoutes,
  ...cardBillRoutes,
  ...planRoutes,
  // the order is that of the documentation; leads use the results of these routes
  ...productRoutes,
  ...leadRoutes,
  ...codeTableRoutes,
  ...walletRoutes,
  ...orderRoutes,
  ...webhookRoutes,
  ...sandboxRoutes,
];
