import { expect, test } from 'vitest';
import { FILES, MANIFESTS, manifestsIn } from '../../helpers/docs/kubernetes/manifests.ts';
import { typeErrorsOf } from '../../helpers/docs/kubernetes/type-errors.ts';

/** The compiler reads all types of Kubernetes' API. */
const timeout = 120_000;

test('every document matches the type of its kind in the API', { timeout }, () => {
  expect(FILES.length).toBeGreaterThan(5);
  expect(typeErrorsOf(MANIFESTS)).toEqual([]);
});

test(
  'a field that the API does not know, a value of another type and a missing field are errors',
  {
    timeout,
  },
  () => {
    const text = `
apiVersion: v1
kind: Pod
metadata: { name: unknown-field }
spec: { containers: [{ name: askd, imagee: askd }] }
---
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: another-type }
spec: { replicas: one, serviceName: askd, selector: {}, template: {} }
---
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: missing-field }
spec: { serviceName: askd, selector: {} }
---
apiVersion: apps/v1
kind: StatefulsSet
metadata: { name: unknown-kind }
---
apiVersion: ray.io/v1
kind: RayService
metadata: { name: ray }
spec:
  serveConfigV2: ''
  rayClusterConfig:
    headGroupSpec:
      rayStartParams: { num-gpus: 0 }
      template: { spec: { containers: [{ name: ray, imagee: ray }] } }
`;
    const patch = `
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: patch }
spec: { template: { spec: { containers: [{ name: askd, resource: {} }] } } }
`;
    const errors = typeErrorsOf([
      ...manifestsIn('bad.yaml', text),
      ...manifestsIn('bad.yaml', patch).map((manifest) => ({ ...manifest, isPatch: true })),
    ]);
    expect(errors).toEqual([
      expect.stringMatching(/^bad\.yaml Pod unknown-field: .*imagee/),
      expect.stringMatching(/^bad\.yaml StatefulSet another-type: .*'string'.*'number'/),
      expect.stringMatching(/^bad\.yaml StatefulSet missing-field: .*'template'/),
      expect.stringMatching(/^bad\.yaml StatefulsSet unknown-kind: .*'StatefulsSet'/),
      expect.stringMatching(/^bad\.yaml RayService ray: .*'number'.*'string'/),
      expect.stringMatching(/^bad\.yaml RayService ray: .*imagee/),
      expect.stringMatching(/^bad\.yaml StatefulSet patch: .*"resource"/),
    ]);
  },
);
