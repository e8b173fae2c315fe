import { llama } from '../../../models/engines/llama.ts';
import { wordEmbedder, wordRanker } from '../../helpers/models/text-models.ts';
import { testEncoders } from '../encoder-contract.ts';

testEncoders({ name: 'llama', engine: llama, embedder: wordEmbedder, ranker: wordRanker });
