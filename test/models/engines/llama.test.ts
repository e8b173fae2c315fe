import { llama } from '../../../models/engines/llama.ts';
import { endlessModel, randomModel, scriptedModel } from '../../helpers/models.ts';
import { testEngine } from '../engine-contract.ts';

testEngine({
  name: 'llama',
  engine: llama,
  chatModel: () => scriptedModel('Grüße, 世界! 😀 This is what I always say, whoever asks.'),
  endlessModel,
  variedModel: () => randomModel('llama', { seed: 3 }),
});
