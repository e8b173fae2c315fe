import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDaemonWith, type ChatDaemon } from '../../helpers/daemon/chat.ts';
import { announce, runCli, type CliOptions } from '../../helpers/terminal/cli.ts';
import { spoken, toneTranscriber, wavOf } from '../../helpers/models/sounds.ts';
import { toneSynthesizer } from '../../helpers/models/speaking.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

let daemon: ChatDaemon;
const askd = (args: readonly string[], options: CliOptions = {}) =>
  runCli(args, { home: daemon.home, ...options });

beforeAll(async () => {
  daemon = await openDaemonWith({ listener: await toneTranscriber(), speaker: await toneSynthesizer() });
  daemon.services.library.bind('svc-whisper-v1', 'listener');
  daemon.services.library.bind('svc-tts-v1', 'speaker');
  announce(daemon);
}, 60_000);
afterAll(() => daemon.close());

function recorded(folder: string, name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, wavOf(spoken(text)));
  return file;
}

describe('transcribe', { timeout: 60_000 }, () => {
  test('prints the transcript, or writes it in the requested format', async () => {
    const folder = temporaryFolder();
    const file = recorded(folder, 'a.wav', 'good morning');
    expect(await askd(['transcribe', file])).toMatchObject({ stdout: 'good morning\n', code: 0 });
    const out = join(folder, 'a.srt');
    await askd(['transcribe', file, '--format', 'srt', '--out', out]);
    expect(readFileSync(out, 'utf8')).toMatch(/^1\n00:00:00,000 --> 00:00:01,\d{3}\ngood morning\n\n$/);
    const { stdout } = await askd(['transcribe', file, '--json', '--translate']);
    expect(JSON.parse(stdout)).toMatchObject({
      schema: 'transcribe/1',
      files: [{ file, out: null, skipped: false, text: 'GOOD MORNING\n' }],
    });
  });

  test('a run over many files resumes where it stopped', async () => {
    const folder = temporaryFolder();
    const files = ['one', 'two'].map((text) => recorded(folder, `${text}.wav`, text));
    writeFileSync(join(folder, 'one.txt'), 'written by hand');
    const first = await askd(['transcribe', ...files]);
    expect(first.stderr).toContain('one.wav: already transcribed in');
    expect(readFileSync(join(folder, 'one.txt'), 'utf8')).toBe('written by hand');
    expect(readFileSync(join(folder, 'two.txt'), 'utf8')).toBe('two\n');
    await askd(['transcribe', ...files, '--again', '--out', join(folder, 'texts')]);
    expect(readFileSync(join(folder, 'texts', 'one.txt'), 'utf8')).toBe('one\n');
  });

  test('recordings that differ only in their extension have a transcript each', async () => {
    const folder = temporaryFolder();
    const files = [recorded(folder, 'a.wav', 'one'), recorded(folder, 'a.wave', 'two')];
    const texts = join(folder, 'texts');
    expect(await askd(['transcribe', ...files, '--out', texts])).toMatchObject({ code: 0 });
    expect(readFileSync(join(texts, 'a.wav.txt'), 'utf8')).toBe('one\n');
    expect(readFileSync(join(texts, 'a.wave.txt'), 'utf8')).toBe('two\n');
    const elsewhere = recorded(temporaryFolder(), 'a.wav', 'three');
    const { code, stderr } = await askd(['transcribe', files[0] ?? '', elsewhere, '--out', texts]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('would both be written to')]);
  });

  test('a bad file is reported with the reason, and leaves nothing behind', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'a.mp3');
    writeFileSync(file, 'no sound');
    const { code, stderr } = await askd(['transcribe', file, '--out', join(folder, 'a.txt')]);
    expect(code).toBe(2);
    expect(stderr).toContain('it looks like text');
    expect(existsSync(join(folder, 'a.txt'))).toBe(false);
    expect((await askd(['transcribe', join(folder, 'none.mp3')])).code).toBe(5);
  });
});

describe('import', () => {
  test('takes a Whisper folder and a Kokoro folder, each for the engine that runs it and no other', async () => {
    const [{ path: whisper }, { path: kokoro }] = [await toneTranscriber(), await toneSynthesizer()];
    for (const [id, path, service] of [
      ['ears', whisper, 'svc-whisper-v1'],
      ['mouth', kokoro, 'svc-tts-v1'],
    ] as const) {
      const { stdout, code } = await askd(['import', path, '--id', id, '--no-check', '--engine', 'onnx']);
      expect([code, stdout]).toEqual([0, expect.stringMatching(`^Imported ${id} \\([\\d.]+ [KM]B\\)\\.\n`)]);
      expect(stdout).toContain(`Next: askd bind ${service} ${id}\n`);
      expect(
        (await askd(['import', path, '--id', 'other', '--no-check', '--engine', 'llama'])).stderr,
      ).toContain('is for the engine "onnx", not for "llama"');
    }
    const file = recorded(temporaryFolder(), 'a.wav', 'good morning');
    expect((await askd(['transcribe', '-m', 'ears', file])).stdout).toBe('good morning\n');
    expect((await askd(['show', 'ears'])).stdout).not.toContain('context');
    const { models } = JSON.parse((await askd(['ps', '--json'])).stdout) as { models: object[] };
    expect(models).toContainEqual(expect.objectContaining({ artifact: 'ears', context_tokens: null }));
    expect((await askd(['ps'])).stdout).toMatch(/ears +\d+ +[\d.]+ [KM]B +- /);
  });

  test.each([
    ['whisper', 'tokenizer.json', 'it has no tokenizer.json'],
    [
      'whisper',
      'onnx/decoder_model_merged.onnx',
      'it has no onnx/decoder_model_merged.onnx in any precision',
    ],
    ['kokoro', 'onnx/model.onnx', 'it has no onnx/model.onnx in any precision'],
    ['kokoro', 'voices', 'has no English voice'],
  ])('refuses the folder of a %s without %s', async (kind, missing, reason) => {
    const { path } = kind === 'whisper' ? await toneTranscriber() : await toneSynthesizer();
    const folder = join(temporaryFolder(), 'model');
    cpSync(path, folder, { recursive: true });
    rmSync(join(folder, missing), { recursive: true });
    const { code, stderr } = await askd(['import', folder, '--id', 'broken', '--no-check']);
    expect([code, stderr]).toEqual([9, expect.stringContaining(reason)]);
  });
});

describe('speak', { timeout: 60_000 }, () => {
  /** How often speech was generated, since each time is charged. */
  const sounds = () =>
    daemon.services.store
      .prepare<{ count: number }>("SELECT count(*) AS count FROM usage WHERE task = 'speak'")
      .get()?.count ?? 0;

  test('writes a file in the format of its name, which can be transcribed again', async () => {
    const out = join(temporaryFolder(), 'hello.wav');
    expect(await askd(['speak', 'Hello world', '--out', out])).toMatchObject({ stdout: `${out}\n`, code: 0 });
    const bytes = readFileSync(out);
    expect(bytes.readUInt32LE(40)).toBe(bytes.length - 44);
    expect((await askd(['transcribe', out])).stdout).toBe('həlˈoʊ wˈɜːld\n');
    const mp3 = join(temporaryFolder(), 'hello.mp3');
    await askd(['speak', '--voice', 'echo', '--speed', '2', '--out', mp3, '-'], { input: 'Hello' });
    expect(readFileSync(mp3).subarray(0, 2).toString('hex')).toMatch(/^ff[ef]/);
  });

  test('writes only the audio to stdout for --out -', async () => {
    const { stdout, stderr, code } = await askd(['speak', 'Hello world', '--out', '-', '--format', 'wav']);
    expect([code, stderr, stdout.slice(0, 4)]).toEqual([0, '', 'RIFF']);
    expect((await askd(['speak', 'Hello world', '--out', '-'])).stdout.length).toBeGreaterThan(1000);
    expect(existsSync('-')).toBe(false);
  });

  test('writes no audio to a terminal, and says what to do instead', async () => {
    const playedBefore = sounds();
    const refused = await askd(['speak', 'Hello', '--out', '-'], { terminal: true });
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('Audio cannot be printed on a terminal'),
    ]);
    expect(refused.stderr).toContain('add --play, or --out speech.mp3');
    const played = await askd(['speak', 'Hello', '--out', '-', '--play'], { terminal: true });
    expect([played.code, played.stderr]).toEqual([2, expect.stringContaining('remove --out -')]);
    expect(sounds()).toBe(playedBefore);
  });

  test('reports mistakes before it generates audio', async () => {
    expect((await askd(['speak', 'Hello', '--out', 'hello.doc'])).stderr).toContain('has no audio extension');
    expect((await askd(['speak', '--out', 'x.mp3'], { input: '' })).stderr).toContain('There is no text');
    const { code, stderr } = await askd(['speak', 'Hello', '--voice', 'nobody', '--out', 'x.mp3']);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Use alloy, echo'),
    });
  });

  describe('plays', () => {
    /** A folder for PATH with programs that record their input, or fail. */
    function programs(...scripts: readonly [name: string, script: string][]): string {
      const folder = temporaryFolder();
      for (const [name, script] of scripts) {
        writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      }
      return folder;
    }
    const play = (PATH: string, ...more: string[]) =>
      askd(['speak', 'Hello world', '--play', ...more], { env: { PATH } });
    const transcriptOf = async (wav: Buffer) => {
      const file = join(temporaryFolder(), 'played.wav');
      writeFileSync(file, wav);
      return (await askd(['transcribe', file])).stdout;
    };

    test('with the first program that is installed, which gets all of it', async () => {
      const PATH = programs(
        ['mpv', 'echo wrong >&2; exit 1'],
        ['aplay', '/bin/cat > "$(dirname "$0")/played"; echo "$@" > "$(dirname "$0")/words"'],
      );
      const system = `${PATH}:/bin:/usr/bin`;
      expect(await play(system)).toMatchObject({ code: 0, stdout: '', stderr: '' });
      expect(readFileSync(join(PATH, 'words'), 'utf8')).toBe('-q -\n');
      expect(await transcriptOf(readFileSync(join(PATH, 'played')))).toBe('həlˈoʊ wˈɜːld\n');
    });

    test('raw samples with a program that is told their format', async () => {
      const PATH = programs(['paplay', '/bin/cat > "${0%/*}/played"; echo "$@" > "${0%/*}/words"']);
      expect(await play(PATH)).toMatchObject({ code: 0 });
      expect(readFileSync(join(PATH, 'words'), 'utf8')).toBe(
        '--raw --format=s16le --rate=24000 --channels=1\n',
      );
      const raw = readFileSync(join(PATH, 'played'));
      const samples = Float32Array.from(
        { length: raw.length / 2 },
        (_, index) => raw.readInt16LE(index * 2) / 32_768,
      );
      expect(await transcriptOf(wavOf(samples, { rate: 24_000 }))).toBe('həlˈoʊ wˈɜːld\n');
    });

    test('a whole file with a program that cannot read a pipe, and leaves none behind', async () => {
      const PATH = programs(['pw-play', '/bin/cp "$1" "${0%/*}/played"; echo "$1" > "${0%/*}/words"']);
      expect(await play(PATH)).toMatchObject({ code: 0 });
      const played = readFileSync(join(PATH, 'played'));
      expect(played.readUInt32LE(40)).toBe(played.length - 44);
      expect(await transcriptOf(played)).toBe('həlˈoʊ wˈɜːld\n');
      expect(existsSync(readFileSync(join(PATH, 'words'), 'utf8').trim())).toBe(false);
    });

    test.each(['hello.wav', 'hello.pcm'])('what it writes into %s, and generates it once', async (name) => {
      const PATH = programs(['aplay', '/bin/cat > "${0%/*}/played"']);
      const out = join(temporaryFolder(), name);
      const before = sounds();
      expect(await play(PATH, '--out', out)).toMatchObject({ code: 0, stdout: `${out}\n` });
      expect(sounds() - before).toBe(1);
      const played = readFileSync(join(PATH, 'played'));
      expect(played.readUInt32LE(40)).toBe(played.length - 44);
      expect(await transcriptOf(played)).toBe('həlˈoʊ wˈɜːld\n');
    });

    test('what it writes, with a program that plays the format', async () => {
      const PATH = programs(['aplay', 'exit 1'], ['mpv', '/bin/cat > "${0%/*}/played"']);
      const out = join(temporaryFolder(), 'hello.flac');
      const before = sounds();
      expect(await play(PATH, '--out', out)).toMatchObject({ code: 0, stdout: `${out}\n` });
      expect(sounds() - before).toBe(1);
      expect(readFileSync(join(PATH, 'played')).equals(readFileSync(out))).toBe(true);
      expect(await transcriptOf(readFileSync(out))).toBe('həlˈoʊ wˈɜːld\n');
    });

    test('what goes to stdout, as raw samples where those are requested', async () => {
      const PATH = programs(['paplay', '/bin/cat > "${0%/*}/played"']);
      const before = sounds();
      const { code, stdout } = await play(PATH, '--out', '-', '--format', 'wav');
      expect([code, stdout.slice(0, 4), sounds() - before]).toEqual([0, 'RIFF', 1]);
      expect(readFileSync(join(PATH, 'played')).length).toBeGreaterThan(10_000);
      expect(readFileSync(join(PATH, 'played')).toString('latin1', 0, 4)).not.toBe('RIFF');
    });

    test('or says, before anything is generated, that no program plays the requested format', async () => {
      const PATH = programs(['paplay', 'exit 1'], ['aplay', 'exit 1']);
      const out = join(temporaryFolder(), 'hello.opus');
      const before = sounds();
      const { code, stderr } = await play(PATH, '--out', out);
      expect([code, stderr]).toEqual([
        5,
        expect.stringContaining('which no player on this machine supports: paplay, aplay'),
      ]);
      expect(stderr).toContain('--out speech.wav --play');
      expect([existsSync(out), sounds()]).toEqual([false, before]);
    });

    test('or says which program to install, before anything is generated', async () => {
      const out = join(temporaryFolder(), 'hello.mp3');
      const { code, stderr } = await play(programs(), '--out', out);
      expect(code).toBe(5);
      expect(stderr).toContain('No audio player is installed: none of paplay, aplay');
      expect(stderr).toContain('sudo apt install alsa-utils');
      expect(existsSync(out)).toBe(false);
    });

    test('or says so if the program played nothing and still exited with 0', async () => {
      const PATH = programs([
        'ffplay',
        '/bin/cat > /dev/null; echo "audio open failed" >&2; echo "more" >&2',
      ]);
      const { code, stderr } = await play(PATH);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('ffplay did not play the audio: audio open'),
      ]);
    });

    test('or says what the program said when it failed', async () => {
      const PATH = programs([
        'aplay',
        'echo "aplay: main:831: audio open error: No such device" >&2; exit 1',
      ]);
      const { code, stderr } = await play(PATH);
      expect(code).toBe(1);
      expect(stderr).toContain('aplay did not play the audio: aplay: main:831: audio open error');
      expect(stderr).toContain('--out speech.mp3');
    });
  });

  test('show describes each voice', async () => {
    expect((await askd(['show', 'svc-tts-v1'])).stdout).toMatch(/voices +alloy = af_alloy, echo = am_echo/);
  });
});
