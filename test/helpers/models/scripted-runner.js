/**
 * A runner's child end whose behaviour is encoded in its manifest's name, for timing that no real engine shows on
 * demand.
 */
const script = {
  loads: () =>
    send({
      type: 'loaded',
      description: { slots: 2, contextTokens: 64, threads: 1, device: 'none' },
      methods: ['chat', 'transcribe'],
    }),
  'is-stuck': () => script.loads(),
  refuses: () =>
    send({
      type: 'load_failed',
      failure: { code: 'invalid_model_file', message: 'not a model', param: 'path' },
    }),
  'never-loads': () => undefined,
  'dies-loading': () => {
    console.error('GGML_ASSERT: out of luck');
    process.kill(process.pid, 'SIGABRT');
  },
  progresses: () => {
    for (const fraction of [0.25, 0.5, 1]) send({ type: 'progress', fraction });
    script.loads();
  },
  'goes-silent': () => script.loads(),
};

let name = '';
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (message) => {
  if (message.type === 'load') {
    name = message.manifest.name;
    script[name]();
  }
  if (message.type === 'ping' && name !== 'goes-silent')
    send({ type: 'pong', sequence: message.sequence, memoryBytes: 4096 });
  if (message.type === 'call') answer(message);
  if (message.type === 'cancel' && name !== 'is-stuck') send({ type: 'done', id: message.id });
  if (message.type === 'shutdown') {
    process.removeAllListeners('disconnect');
    process.disconnect();
  }
});

function answer({ id, input }) {
  const text = input.messages?.[0]?.content ?? input.path ?? '';
  if (text === 'die') return process.kill(process.pid, 'SIGKILL');
  send({ type: 'event', id, event: { type: 'text', text, vector: Float32Array.of(1.5, -0) } });
  if (text === 'hang') return;
  if (text === 'fail')
    return send({ type: 'failed', id, failure: { code: 'invalid_value', message: 'no', details: { n: 1 } } });
  send({ type: 'done', id });
}

function send(message) {
  if (process.connected) process.send(message);
}
