/** Precision of the KV cache: fewer bits take less memory and are less exact. */
export const CACHE_TYPES = ['f16', 'q8_0', 'q4_0'] as const;
export type CacheType = (typeof CACHE_TYPES)[number];

/** `auto` turns it on if the model and the device support it. */
export const FLASH_ATTENTION = ['auto', 'on', 'off'] as const;
export type FlashAttention = (typeof FLASH_ATTENTION)[number];

/** The quantized types store blocks of 32 numbers with one 16-bit scale. */
export const CACHE_ELEMENT_BYTES: Record<CacheType, number> = { f16: 2, q8_0: 34 / 32, q4_0: 18 / 32 };
