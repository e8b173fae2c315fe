import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Settings } from '../../src/config/config.ts';
import { Failure } from '../../src/base/errors.ts';

export type Tls = { cert: string; key: string; certificate: X509Certificate };

/** The configured certificate and key. A mismatch is reported before the server listens. */
export function readTls({ tlsCert, tlsKey }: Pick<Settings, 'tlsCert' | 'tlsKey'>): Tls | undefined {
  if (tlsCert === '' && tlsKey === '') return undefined;
  if (tlsCert === '' || tlsKey === '') {
    throw unusable('One of tls_cert and tls_key is set without the other. Set both, or neither.');
  }
  const [cert, key] = [readPem('tls_cert', tlsCert), readPem('tls_key', tlsKey)];
  const certificate = parse('tls_cert', tlsCert, () => new X509Certificate(cert));
  const privateKey = parse('tls_key', tlsKey, () => createPrivateKey(key));
  if (certificate.checkPrivateKey(privateKey)) return { cert, key, certificate };
  throw unusable(`The key ${tlsKey} (tls_key) does not belong to the certificate ${tlsCert} (tls_cert).`);
}

function readPem(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw unusable(`${path} (${name}) cannot be read: ${(cause as NodeJS.ErrnoException).code}.`, cause);
  }
}

function parse<Parsed>(name: string, path: string, read: () => Parsed): Parsed {
  try {
    return read();
  } catch (cause) {
    throw unusable(`${path} (${name}) is not an unencrypted PEM file.`, cause);
  }
}

function unusable(message: string, cause?: unknown): Failure {
  return new Failure('config_invalid', message, { cause });
}
