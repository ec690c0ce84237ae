#!/bin/sh
# Creates the roles and the database of the portal when the database starts for the first time. Neither is a superuser. Only
# `migrate` and `restore` use the owner, which keeps the audit tables. The roles may create databases, which
# `restore --verify` needs.
set -eu
psql --username postgres --set=password="$PORTAL_PASSWORD" --set=owner="$OWNER_PASSWORD" --set=ON_ERROR_STOP=1 <<'END'
create role portal login createdb password :'password';
create role portal_owner login createdb password :'owner' in role portal;
create database portal owner portal_owner;
END
