import type { PullPreview } from '../../../src/api/management/library.ts';
import { Failure } from '../../../src/base/errors.ts';
import { formatBytes } from '../../output/format.ts';

/** What a dry run prints. */
export function previewText(preview: PullPreview): string {
  const { artifact, bytes, files, format, licence } = preview;
  const count = files === 1 ? '' : ` in ${files} files`;
  const size = files === 0 ? 'no weights' : `${formatBytes(bytes)}${count}`;
  const first = [artifact, size, FORMATS[format], `licence ${licence}`].filter(Boolean).join(', ');
  return `${first}\n${headerText(preview)}\nNothing was downloaded.`;
}

/** A model that cannot run is refused before the licence question and the download. */
export function requireRunnable({ obstacle }: PullPreview): void {
  if (obstacle !== null) throw new Failure('model_capability_mismatch', obstacle, { param: 'model' });
}

/** A few lines about what the header says. */
export function headerText({ header, note }: PullPreview): string {
  if (!header) return `Nothing else is known before the download: ${note ?? ''}.`;
  return [...factsOf(header), ...(note === null ? [] : [`  ${note}`])].join('\n');
}

function factsOf(header: Header): string[] {
  const { architecture, quantization, parameters, context_tokens_max: context, template, tasks } = header;
  const facts = [
    architecture || 'architecture unknown',
    parameters === null ? 'parameters unknown' : `${parameters} parameters`,
    quantization || 'quantization unknown',
    context === 0 ? 'context unknown' : `context ${context.toLocaleString('en')} tokens`,
    ...(tasks.length === 0 ? [] : [`for ${tasks.join(', ')}`]),
  ];
  return [
    `  ${facts.join(', ')}`,
    ...(template === '' ? [] : [`  chat template: ${TEMPLATES[template] ?? template}`]),
    `  ${memoryText(header)}`,
  ];
}

function memoryText({ memory_bytes: bytes, memory_context_tokens: tokens, fits }: Header): string {
  if (bytes === null) return 'memory unknown';
  const room = fits ? 'fits' : 'more than half the memory of';
  return `memory ${formatBytes(bytes)} with a context of ${tokens.toLocaleString('en')} tokens: ${room} this machine`;
}

type Header = NonNullable<PullPreview['header']>;

const FORMATS: Record<PullPreview['format'], string> = {
  gguf: '',
  onnx: 'ONNX',
  safetensors: 'safetensors',
  other: '',
};

const TEMPLATES: Record<string, string> = {
  general: 'not in the file, so a generic one is used',
  own: 'its own',
};
