#!/bin/sh
# Writes a private certificate authority and a certificate for each service into a folder, unless they exist. The certificates
# only secure the connections between the containers.
# usage: make-certificates.sh FOLDER SERVICE…
set -eu
folder=$1
shift
mkdir -p "$folder"
cd "$folder"
umask 077
if [ ! -f ca.crt ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj "/CN=Portal containers" \
    -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign \
    -keyout ca.key -out ca.crt
fi
for name in "$@"; do
  [ -f "$name.crt" ] && continue
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$name" -keyout "$name.key" -out "$name.csr"
  printf 'subjectAltName=DNS:%s\n' "$name" > "$name.ext"
  openssl x509 -req -in "$name.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days 3650 -extfile "$name.ext" -out "$name.crt"
  rm "$name.csr" "$name.ext"
done
chmod 755 .
chmod 644 ./*.crt
# PostgreSQL's user in the Debian image, which also writes the archive.
if [ "$(id -u)" = 0 ]; then
  if [ -f database.key ]; then chown 999:999 database.key; fi
  if [ -d /archive ]; then mkdir -p /archive/wal && chown -R 999:999 /archive; fi
fi
