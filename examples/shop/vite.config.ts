import { defineConfig } from 'vite';

const gateway = process.env.GATEWAY_URL ?? 'http://127.0.0.1:4000';

export default defineConfig({ define: { GATEWAY_URL: JSON.stringify(gateway) } });
