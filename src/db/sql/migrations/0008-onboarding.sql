-- Sign-ups with unconfirmed addresses, contacts, KYC, and emails.

-- Emails that were not sent yet. Address and text are one encrypted value, because the text may contain a link that grants
-- access.
create table email (
  id uuid primary key,
  content bytea not null,
  created_at timestamptz not null default now(),
  -- time and reason of the last failed attempt; the reason contains only codes
  attempted_at timestamptz,
  failure text check (failure in ('rejected', 'deferred', 'authentication', 'unreachable', 'other')),
  response text check (response ~ '^[245][0-9]{2}( [245]\.[0-9]{1,3}\.[0-9]{1,3})?$'),
  check ((attempted_at is null) = (failure is null)));
create index email_age on email (created_at);
select pgboss.create_queue('email', '{"policy": "standard", "expireInSeconds": 60, "deleteAfterSeconds": 86400}');

-- One row per emailed link. The account is created only when the link is used. Only hashes of the link and the address are
-- stored.
create table sign_up (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  email_hash bytea not null check (octet_length(email_hash) = 32),
  details bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  mac bytea not null check (octet_length(mac) = 32));
create index sign_up_email on sign_up (email_hash);
create index sign_up_expiry on sign_up (expires_at);

create table developer_contact (
  developer_id uuid primary key references developer,
  contact bytea not null,
  updated_at timestamptz not null default now());

create table kyc_document (
  developer_id uuid not null references developer,
  id uuid not null,
  -- name of the document; separate from the content, so that lists do not read the content
  details bytea not null check (octet_length(details) <= 10000),
  -- 5 MiB, plus the overhead of encryption
  content bytea not null check (octet_length(content) <= 5243000),
  size_bytes integer not null check (size_bytes between 1 and 5242880),
  created_at timestamptz not null default now(),
  submitted_at timestamptz,
  primary key (developer_id, id));

create index kyc_document_waiting on kyc_document (created_at) where submitted_at is null;

-- encrypted content cannot be compressed
alter table kyc_document alter column content set storage external;

create table kyc_submission (
  developer_id uuid not null references developer,
  id uuid not null,
  pan_hash bytea not null check (octet_length(pan_hash) = 32),
  details bytea not null,
  document_ids uuid[] not null check (cardinality(document_ids) between 1 and 10),
  created_at timestamptz not null default now(),
  primary key (developer_id, id));
create index kyc_submission_pan on kyc_submission (pan_hash);

-- KYC data that an owner has entered but not submitted.
create table kyc_draft (
  developer_id uuid primary key references developer,
  -- encrypted
  details bytea not null check (octet_length(details) <= 10000),
  updated_at timestamptz not null default now());
create index kyc_draft_age on kyc_draft (updated_at);

grant select, insert, delete on email, sign_up to gateway_app;
grant update (attempted_at, failure, response) on email to gateway_app;
grant select, insert, update on developer_contact to gateway_app;
grant select, insert, update, delete on kyc_draft to gateway_app;

-- submitted data never changes; kyc_document_drop deletes documents that were not submitted
grant select, insert on kyc_document, kyc_submission to gateway_app;
grant update (submitted_at) on kyc_document to gateway_app;
