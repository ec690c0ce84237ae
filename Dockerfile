FROM node:24.21.0-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc .node-version ./
COPY scripts ./scripts
RUN node scripts/bootstrap.mjs
COPY . .
RUN node scripts/build.mjs

FROM node:24.21.0-slim AS packages
WORKDIR /app
COPY deploy/image/package.json deploy/image/package-lock.json ./
# Invoices use only two weights of each typeface.
RUN npm ci --ignore-scripts \
  && find node_modules/@embedpdf -path '*/fonts/*' ! -name '*-Regular.*' ! -name '*-Bold.*' -type f -delete \
  && find node_modules/@fontsource -path '*/files/*' ! -name '*-400-normal.woff' ! -name '*-700-normal.woff' -type f -delete

FROM node:24.21.0-slim
WORKDIR /app
ENV NODE_ENV=production PORT=4000 DATA_DIR=/data
RUN mkdir /data /backups && chown node:node /data /backups
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json ./
USER node
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch('http://localhost:4000/health/ready').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/server/server.js"]
