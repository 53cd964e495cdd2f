import { type Page, pageView } from '../graphql-toolkit/connection.js';
import type { CreateWebhookEndpointPayload, WebhookDelivery, WebhookDeliveryConnection } from './webhook.types.js';
import type { IssuedEndpoint } from './webhook-endpoint.service.js';
import type { LoggedDelivery } from './webhook-log.service.js';

export const deliveryView = ({ developerId, ...delivery }: LoggedDelivery): WebhookDelivery => ({
  ...delivery,
  key: { developerId, id: delivery.id },
  endpointId: `whe_${delivery.endpointId}`,
});

export const deliveriesView = (page: Page<LoggedDelivery>): WebhookDeliveryConnection => pageView(page, deliveryView);

/** Returns the view of an endpoint with its secret. Used only in responses that show a secret. */
export const issuedView = ({ endpoint, secret }: IssuedEndpoint): CreateWebhookEndpointPayload => ({
  secret: secret.reveal(),
  endpoint,
});
