import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Certificates = ReturnType<typeof makeCertificates>;

/** A certificate authority of this moment, and a certificate that it gave out for these names and addresses. */
export function makeCertificates(names: readonly string[] = ['IP:127.0.0.1', 'DNS:hooks.example.com']) {
  const folder = mkdtempSync(join(tmpdir(), 'askd-ca-'));
  const file = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  try {
    openssl(
      ...['req', '-x509', ...newKey, '-keyout', file('ca.key'), '-out', file('ca.pem'), '-days', '30'],
      ...['-subj', '/CN=Test authority', '-addext', 'basicConstraints=critical,CA:TRUE'],
    );
    openssl(...['req', ...newKey, '-keyout', file('key'), '-out', file('csr'), '-subj', '/CN=Test receiver']);
    writeFileSync(file('extensions'), `subjectAltName=${names.join(',')}\n`);
    openssl(
      ...['x509', '-req', '-in', file('csr'), '-CA', file('ca.pem'), '-CAkey', file('ca.key')],
      ...['-CAcreateserial', '-out', file('pem'), '-days', '30', '-extfile', file('extensions')],
    );
    const read = (name: string) => readFileSync(file(name), 'utf8');
    return { ca: read('ca.pem'), key: read('key'), cert: read('pem') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
