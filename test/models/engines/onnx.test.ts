import { onnx } from '../../../models/engines/onnx.ts';
import { onnxEmbedder, onnxRanker } from '../../helpers/models/text-models.ts';
import { testEncoders } from '../encoder-contract.ts';

testEncoders({ name: 'onnx', engine: onnx, embedder: onnxEmbedder, ranker: onnxRanker });
