import { defineEntity, p } from '@mikro-orm/postgresql';
import { environments } from '../core/environment.js';

/** Value that administrators change at run time. */
export const SettingEntity = defineEntity({
  name: 'Setting',
  tableName: 'setting',
  properties: {
    environment: p.enum(environments).primary(),
    name: p.string().primary(),
    value: p.string(),
    updatedAt: p.datetime(),
  },
});
