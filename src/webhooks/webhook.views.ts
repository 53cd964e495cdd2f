import type { CreateWebhookEndpointPayload, WebhookDelivery } from './webhook.types.js';
import type { IssuedEndpoint } from './webhook-endpoint.service.js';
import type { LoggedDelivery } from './webhook-log.service.js';

export const deliveryView = (delivery: LoggedDelivery): WebhookDelivery => ({
  ...delivery,
  endpointId: `whe_${delivery.endpointId}`,
});

/** The one answer that shows a secret. */
export const issuedView = ({ endpoint, secret }: IssuedEndpoint): CreateWebhookEndpointPayload => ({
  secret: secret.reveal(),
  endpoint,
});
