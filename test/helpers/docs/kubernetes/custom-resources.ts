import type { PodTemplateSpec, Service } from 'kubernetes-types/core/v1.js';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';

/** The parts of KubeRay's API that the manifests use, as in its reference (ray.io/v1). */
export type RayService = {
  apiVersion: 'ray.io/v1';
  kind: 'RayService';
  metadata: ObjectMeta;
  spec: {
    /** Ray Serve's own YAML, as text. */
    serveConfigV2: string;
    serveService?: Service;
    rayClusterConfig: {
      rayVersion?: string;
      enableInTreeAutoscaling?: boolean;
      headGroupSpec: {
        serviceType?: string;
        rayStartParams: Record<string, string>;
        template: PodTemplateSpec;
      };
      workerGroupSpecs?: {
        groupName: string;
        replicas?: number;
        minReplicas: number;
        maxReplicas: number;
        numOfHosts?: number;
        rayStartParams: Record<string, string>;
        template: PodTemplateSpec;
      }[];
    };
  };
};

/** The parts of kustomize's file that the manifests use. */
export type Kustomization = {
  apiVersion: 'kustomize.config.k8s.io/v1beta1';
  kind: 'Kustomization';
  namespace?: string;
  resources: string[];
  patches?: { path: string }[];
  images?: { name: string; newName?: string; newTag?: string }[];
};

/** A strategic merge patch: any part of a resource. */
export type Patch<Resource> = Resource extends (infer Item)[]
  ? Patch<Item>[]
  : Resource extends object
    ? { [Field in keyof Resource]?: Patch<Resource[Field]> }
    : Resource;
