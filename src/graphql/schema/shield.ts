import { createRequire } from 'node:module';
import type * as MiddlewareModule from 'graphql-middleware';
import type * as ShieldModule from 'graphql-shield';

// The CJS build of graphql-shield calls util.isUndefined, which Node 23 removed. Both packages are loaded as CJS after the
// function is restored, so that they share one copy of graphql-middleware.
const require = createRequire(import.meta.url);
const util = require('node:util') as Record<string, unknown>;
util.isUndefined ??= (value: unknown) => value === undefined;

export type AnyRule = ShieldModule.IRule | typeof ShieldModule.allow;
export const { shield, rule, allow, deny } = require('graphql-shield') as typeof ShieldModule;
export const { applyMiddleware } = require('graphql-middleware') as typeof MiddlewareModule;
