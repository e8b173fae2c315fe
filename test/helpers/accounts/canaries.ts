import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Reply } from '../daemon/daemon.ts';

/** Secrets to look for, and everything that the daemon has shown since they were created. */
export function createCanaries() {
  const secrets = new Map<string, Buffer[]>();
  const seen: { where: string; bytes: Buffer }[] = [];

  return {
    /** The secret itself, each half of it, and its common encodings. */
    knows(name: string, secret: string): string {
      const bytes = Buffer.from(secret);
      const coded = [
        bytes.toString('hex'),
        bytes.toString('base64').replace(/=+$/, ''),
        encodeURIComponent(secret),
      ];
      const halves = [secret.slice(0, secret.length / 2), secret.slice(secret.length / 2)];
      const inner = secret.startsWith('whsec_') ? [Buffer.from(secret.slice(6), 'base64')] : [];
      secrets.set(name, [bytes, ...[...coded, ...halves].map((each) => Buffer.from(each)), ...inner]);
      return secret;
    },
    saw(where: string, text: string | Buffer): void {
      seen.push({ where, bytes: Buffer.from(text as string) });
    },
    sawReply(where: string, { status, headers, text }: Reply): void {
      this.saw(`the answer ${status} to ${where}`, `${JSON.stringify(headers)}\n${text}`);
    },
    sawFolder(home: string, { but }: { but: RegExp }): void {
      for (const path of filesIn(home)) {
        const name = relative(home, path);
        if (!but.test(name)) this.saw(`the file ${name}`, readFileSync(path));
      }
    },
    /** Each secret with every place in which it appeared. */
    leaks(): string[] {
      const found = seen.flatMap(({ where, bytes }) =>
        [...secrets]
          .filter(([, forms]) => forms.some((form) => bytes.includes(form)))
          .map(([name]) => `${name} in ${where}`),
      );
      return [...new Set(found)];
    },
    places: () => seen.map(({ where }) => where),
  };
}

export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}
