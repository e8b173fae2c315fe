export const REPO = 'bench/weights';
export const FILE = 'weights-Q4_K_M.gguf';
