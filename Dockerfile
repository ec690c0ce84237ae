# Builds on this machine's processor for each processor of the image.
FROM --platform=$BUILDPLATFORM node:24.21.0-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc .node-version ./
COPY scripts ./scripts
RUN node scripts/bootstrap.mjs
COPY . .
RUN node scripts/build.mjs
ARG TARGETARCH
RUN node scripts/package.mjs --folder /portal --cpu "$TARGETARCH"

FROM node:24.21.0-slim AS node

# Without npm, headers and the rest of the image of Node.
FROM debian:12-slim
COPY --from=node /usr/local/bin/node /usr/local/bin/node
RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node \
  && mkdir /data /backups && chown node:node /data /backups
WORKDIR /app
ENV NODE_ENV=production PORT=4000 DATA_DIR=/data
COPY --from=build /portal ./
USER node
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch('http://localhost:4000/health/ready').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/server/server.js"]
