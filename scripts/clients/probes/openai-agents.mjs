import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents';
import { z } from 'zod';
import { apiKey, baseURL, expect, feature, HELLO, SAID } from './probe.mjs';

setTracingDisabled(true);
const weather = tool({
  name: 'get_weather',
  description: 'Weather',
  parameters: z.object({ city: z.string() }),
  execute: () => 'sunny',
});

for (const useResponses of [true, false]) {
  const runner = new Runner({ modelProvider: new OpenAIProvider({ apiKey, baseURL, useResponses }) });
  const api = useResponses ? 'responses' : 'chat';
  await feature(`${api}: answer`, async () => {
    const agent = new Agent({ name: 'a', instructions: 'Be kind.', model: 'words' });
    expect((await runner.run(agent, 'Hello')).finalOutput, HELLO);
  });
  await feature(`${api}: tools`, async () => {
    const agent = new Agent({ name: 'a', model: 'weather', tools: [weather] });
    expect((await runner.run(agent, 'Hello')).finalOutput, SAID);
  });
  await feature(`${api}: stream`, async () => {
    const stream = await runner.run(new Agent({ name: 'a', model: 'words' }), 'Hello', { stream: true });
    await stream.completed;
    expect(stream.finalOutput, HELLO);
  });
}
