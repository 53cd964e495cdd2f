-- Customers of the lead provider and the leads that developers created for them.

-- Contains no customer data in plain text: the mobile number is a keyed hash, and all other data is one encrypted value.
create table lead_profile (
  developer_id uuid not null references developer,
  environment text not null check (environment in ('uat', 'production')),
  mobile_hash bytea not null check (octet_length(mobile_hash) = 32),
  profile bytea not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (developer_id, environment, mobile_hash));

-- keyed hashes of all customer IDs that were returned to a developer; they prove that a customer belongs to the developer
create table lead_customer (
  developer_id uuid not null references developer,
  environment text not null check (environment in ('uat', 'production')),
  customer_hash bytea not null check (octet_length(customer_hash) = 32),
  mobile_hash bytea not null check (octet_length(mobile_hash) = 32),
  primary key (developer_id, environment, customer_hash));

create table lead (
  developer_id uuid not null references developer,
  id uuid not null,
  environment text not null check (environment in ('uat', 'production')),
  lead_code text not null collate "C" check (length(lead_code) between 1 and 100),
  product_id text not null check (length(product_id) between 1 and 64),
  -- mobile number of the customer, if the customer belongs to the developer
  mobile_hash bytea check (octet_length(mobile_hash) = 32),
  status text check (status in ('pending', 'submitted', 'success', 'approved', 'failed', 'rejected')),
  approved_at timestamptz,
  created_at timestamptz not null default now(),
  status_at timestamptz,
  check (status is distinct from 'approved' or approved_at is not null),
  check ((status is null) = (status_at is null)),
  primary key (developer_id, id));
create unique index lead_code on lead (developer_id, environment, lead_code);
create index lead_id on lead (id);
create index lead_mobile on lead (developer_id, environment, mobile_hash, id) where mobile_hash is not null;

grant select, insert, update on lead_profile, lead_customer, lead to gateway_app;
