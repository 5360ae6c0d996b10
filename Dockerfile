# The service in one image: build with `docker build --tag barline .`. It writes to /data and /tmp
# only, so it runs with a read-only root: `docker run --read-only --tmpfs /tmp barline`.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build
RUN npm pack --ignore-scripts --pack-destination /tmp

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=peer --ignore-scripts && npm cache clean --force
COPY --from=build /tmp/barline-*.tgz /tmp/barline.tgz
RUN tar --extract --gzip --file /tmp/barline.tgz --strip-components 1 && rm /tmp/barline.tgz

FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    BARLINE_HOME=/data \
    BARLINE_HTTP_HOST=0.0.0.0 \
    BARLINE_RPC_HOST=0.0.0.0
RUN mkdir /data && chown node:node /data
WORKDIR /app
COPY --from=packages --chown=root:root /app ./
USER node
VOLUME /data
EXPOSE 5001 50051
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "--eval", "fetch('http://127.0.0.1:' + (process.env.BARLINE_METRICS_PORT || process.env.BARLINE_HTTP_PORT || 5001) + '/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/bundle/barline.js"]
CMD ["serve"]
