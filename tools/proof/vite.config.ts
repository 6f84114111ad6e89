// Builds the proof as one file that node can run.
import { defineConfig } from 'vite'

export default defineConfig({
  logLevel: 'warn',
  build: {
    ssr: 'tools/proof/main.ts',
    outDir: 'dist/proof',
    emptyOutDir: true,
    target: 'node20',
    copyPublicDir: false,
  },
})
