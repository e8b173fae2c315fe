import type { PullPreview } from '../../../src/api/management/library.ts';
import { formatBytes } from '../../output/format.ts';

/** What a dry run prints. */
export function previewText(preview: PullPreview): string {
  const { artifact, bytes, licence } = preview;
  const first = `${artifact}, ${formatBytes(bytes)}, licence ${licence}`;
  return `${first}\n${headerText(preview)}\nNothing was downloaded.`;
}

/** A few lines of what the header says. */
export function headerText({ header, note }: PullPreview): string {
  if (!header) return `No more is known before it is downloaded: ${note ?? ''}.`;
  const { architecture, quantization, parameters, context_tokens_max: context, template, tasks } = header;
  const kind = [architecture, parameters && `${parameters} parameters`, quantization].filter(Boolean);
  const tokens = header.memory_context_tokens.toLocaleString('en');
  const fits = header.fits ? 'fits' : 'is more than half of the memory of';
  return [
    `  ${kind.join(', ')}, context ${context.toLocaleString('en')} tokens, for ${tasks.join(', ')}`,
    ...(template === '' ? [] : [`  chat template: ${TEMPLATES[template] ?? template}`]),
    `  memory ${formatBytes(header.memory_bytes)} with a context of ${tokens} tokens: ${fits} this machine`,
  ].join('\n');
}

const TEMPLATES: Record<string, string> = {
  general: 'none in the file, so a general one is used',
  own: 'its own',
};
