# The image of the gateway; the guide is docs/guides/containers.md. Build it from the checkout: docker build -t neta-gateway:0.1.0 .

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run pack

FROM node:24.21.0-bookworm-slim AS files
COPY deploy/image/build.sh /tmp/
COPY --from=build /src/dist-pack/ /tmp/dist-pack/
RUN sh /tmp/build.sh /tmp/dist-pack /image

FROM node:24.21.0-bookworm-slim
# The sandbox of commands, and a first process that reaps what commands leave behind. Debian keeps only the newest version of a package.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install --yes --no-install-recommends bubblewrap tini \
  && rm -rf /var/lib/apt/lists/*
COPY --from=files /image/ /
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=7001 \
  NETA_HOME=/data
USER 65534:65534
WORKDIR /data
VOLUME /data
EXPOSE 7001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["node", "/usr/local/share/neta-gateway/healthcheck.mjs"]
ENTRYPOINT ["tini", "--", "neta"]
CMD ["start"]
