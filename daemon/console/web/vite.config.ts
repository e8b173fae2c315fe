import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The daemon serves the output, so no path leads to another origin. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  publicDir: false,
  plugins: [react()],
  build: {
    outDir: '../../../dist/console',
    emptyOutDir: true,
    target: 'es2023',
    // The page's policy allows neither inline scripts nor data: URLs instead of files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The licences of the packages in the bundle, which must accompany it.
    license: { fileName: 'licences.md' },
    reportCompressedSize: false,
  },
});
