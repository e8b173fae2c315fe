import type { LlamaModel } from 'node-llama-cpp';
import type { FlashAttention } from '../../../../src/config/context-cache.ts';

/**
 * For these, llama.cpp computes different probabilities, or exits, if a batch has tokens of several sequences. For
 * the two that combine Qwen2 and RWKV, it stores tokens of the first sequence as the last token of each.
 */
const ALONE = new Set(['arwkv7', 'cogvlm', 'kimi-linear', 'plamo2', 'rwkv6qwen2']);

/** llama.cpp exits because of the shape of its values if flash attention is on or to be tried. */
const WITHOUT_FLASH_ATTENTION = new Set(['plm']);

export function runsAlone(architecture: string): boolean {
  return ALONE.has(architecture);
}

export function hasFlashAttention(architecture: string): boolean {
  return !WITHOUT_FLASH_ATTENTION.has(architecture);
}

export function slotsOf(model: LlamaModel, wanted: number): number {
  return runsAlone(architectureOf(model)) ? 1 : wanted;
}

export function flashAttentionOf(model: LlamaModel, wanted: FlashAttention = 'auto'): FlashAttention {
  return hasFlashAttention(architectureOf(model)) ? wanted : 'off';
}

function architectureOf(model: LlamaModel): string {
  return model.fileInfo.metadata.general.architecture;
}
