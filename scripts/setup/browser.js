import { existsSync, readFileSync } from 'node:fs';
import { installOnDebian } from './debian.js';

const PLACES = JSON.parse(readFileSync(new URL('browser-places.json', import.meta.url), 'utf8'));

/** The pages are tested in a real Chromium. */
export async function ensureBrowser() {
  if (PLACES.some((place) => existsSync(place))) return;
  await installOnDebian('Chromium for the tests of the pages', ['chromium']);
}
