/** As what numbers a language model's context is kept: the fewer bits, the less memory, and the less exact. */
export const CACHE_TYPES = ['f16', 'q8_0', 'q4_0'] as const;
export type CacheType = (typeof CACHE_TYPES)[number];

/** `auto` is on where the model and the device can. */
export const FLASH_ATTENTION = ['auto', 'on', 'off'] as const;
export type FlashAttention = (typeof FLASH_ATTENTION)[number];

/** The quantized types keep 32 numbers together, with a factor of 16 bits for all of them. */
export const CACHE_ELEMENT_BYTES: Record<CacheType, number> = { f16: 2, q8_0: 34 / 32, q4_0: 18 / 32 };
