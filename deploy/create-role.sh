#!/bin/sh
# Creates the role and the database of the portal when the database starts for the first time. The role isn't a superuser.
# It may create databases, which `restore --verify` needs.
set -eu
psql --username postgres --set=password="$PORTAL_PASSWORD" --set=ON_ERROR_STOP=1 <<'END'
create role portal login createdb password :'password';
create database portal owner portal;
END
