import { AppError } from '../core/errors.js';
import type { LoadNode } from '../core/room.js';
import { callerOf } from './webhook-caller.js';
import type { WebhookEndpointService } from './webhook-endpoint.service.js';

export const endpointNode =
  (endpoints: WebhookEndpointService): LoadNode =>
  async (key, context) => {
    const { owner } = callerOf(context);
    return endpoints.find(key, owner).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'RECORD_NOT_FOUND') return undefined;
      throw error;
    });
  };
