# The service, as docs/install.md describes it under "With containers":
#   docker build --tag recharge-gateway --build-arg REVISION="$(git rev-parse --short=12 HEAD)" .
# The simulator of the providers, where no money moves:
#   docker build --tag recharge-gateway-simulator --target simulator .

# `npm run pin-images` adds the digest, so that the tag cannot change what is built: node:26-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:26-bookworm-slim

FROM $NODE_IMAGE AS build
WORKDIR /build
# packages first: they stay in the cache until one of them changes
COPY package.json package-lock.json .npmrc ./
COPY src/dev/link-node.mjs src/dev/
RUN npm ci
COPY . .
# `gateway doctor` reads it in the pack
ARG NODE_IMAGE
# the repository stays outside: /version and gateway_build_info say this
ARG REVISION=unknown
RUN SOURCE_COMMIT="$REVISION" npm run build \
  && BASE_IMAGE="$NODE_IMAGE" npm run pack:production -- /packed/gateway \
  && npm run pack:production -- --simulator /packed/simulator

# Not distroless: Node 26 needs libatomic, which the images for C++ programs leave out.
FROM $NODE_IMAGE AS runtime
# the only directory that is written to: anchors of the audit log, and mails where there is no SMTP
RUN install --directory --owner=node --group=node --mode=0700 /data
ENV DATA_DIR=/data HOST=0.0.0.0
VOLUME /data
# "node" by number, so that Kubernetes sees that it is not root
USER 1000:1000
STOPSIGNAL SIGTERM
ENTRYPOINT []

FROM runtime AS simulator
LABEL org.opencontainers.image.title="Recharge Gateway: simulator of the providers"
WORKDIR /srv/simulator
COPY --from=build /packed/simulator ./
EXPOSE 4003
CMD ["node", "dist/simulator/main.js"]

FROM runtime AS gateway
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Recharge Gateway" \
  org.opencontainers.image.description="GraphQL API and REST layer for recharges, card bills, plan lookups and leads" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION"
ENV OPS_HOST=0.0.0.0 PATH=/srv/gateway:$PATH
WORKDIR /srv/gateway
COPY --from=build /packed/gateway ./
EXPOSE 4000 4001 4002 4004
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["gateway", "health"]
# The limits are for the service alone, and keep it at 200 to 225 MB. Every program is a command: gateway --help
CMD ["node", "--enable-source-maps", "--max-semi-space-size=8", "--max-old-space-size=256", "dist/cli/gateway.js", "serve"]
