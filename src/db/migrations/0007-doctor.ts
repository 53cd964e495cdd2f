import { Migration } from '@mikro-orm/migrations';
import { APPLICATION_ROLE } from '../pool.js';

/** What the doctor has to see when it signs in as the application does. */
export class Doctor extends Migration {
  override up(): void {
    this.addSql(`grant select on schema_migration to ${APPLICATION_ROLE}`);
  }
}
