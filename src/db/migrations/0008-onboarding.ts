import { Migration } from '@mikro-orm/migrations';
import { APPLICATION_ROLE } from '../pool.js';

/** Sign-ups that wait for the confirmation of their address, contacts, KYC, and the mails that tell about them. */
export class Onboarding extends Migration {
  override up(): void {
    // A mail waits here until it went: address and text, which may hold a link that lets somebody in, are one encrypted value.
    this.addSql(`create table mail (
      id uuid primary key,
      content bytea not null,
      created_at timestamptz not null default now())`);
    this.addSql('create index mail_age on mail (created_at)');
    this.addSql(
      `select pgboss.create_queue('mail', '${JSON.stringify({ policy: 'standard', expireInSeconds: 60, deleteAfterSeconds: 86_400 })}')`,
    );

    // One row per link that was mailed: nobody has an account before the link is used. Of link and address only hashes are kept.
    this.addSql(`create table sign_up (
      token_hash bytea primary key check (octet_length(token_hash) = 32),
      email_hash bytea not null check (octet_length(email_hash) = 32),
      details bytea not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null)`);
    this.addSql('create index sign_up_email on sign_up (email_hash)');
    this.addSql('create index sign_up_expiry on sign_up (expires_at)');
    this.addSql(`create table developer_contact (
      developer_id integer primary key references developer,
      contact bytea not null,
      updated_at timestamptz not null default now())`);

    // 5 MiB as base64 inside an encrypted value are some 7 MB
    this.addSql(`create table kyc_document (
      developer_id integer not null references developer,
      id uuid not null,
      -- what it is called, apart from what is in it: a list of documents reads no content
      details bytea not null check (octet_length(details) <= 10000),
      content bytea not null check (octet_length(content) <= 7200000),
      size_bytes integer not null check (size_bytes between 1 and 5242880),
      created_at timestamptz not null default now(),
      submitted_at timestamptz,
      primary key (developer_id, id))`);
    // it does not compress: do not try
    this.addSql('alter table kyc_document alter column content set storage external');
    this.addSql(`create table kyc_submission (
      developer_id integer not null references developer,
      id uuid not null,
      pan_hash bytea not null check (octet_length(pan_hash) = 32),
      details bytea not null,
      document_ids uuid[] not null check (cardinality(document_ids) between 1 and 10),
      created_at timestamptz not null default now(),
      primary key (developer_id, id))`);
    this.addSql('create index kyc_submission_pan on kyc_submission (pan_hash)');

    this.addSql(`grant select, insert, delete on mail, sign_up to ${APPLICATION_ROLE}`);
    this.addSql(`grant select, insert, update on developer_contact to ${APPLICATION_ROLE}`);
    // what was submitted never changes
    this.addSql(`grant select, insert on kyc_document, kyc_submission to ${APPLICATION_ROLE}`);
    this.addSql(`grant update (submitted_at) on kyc_document to ${APPLICATION_ROLE}`);
  }
}
