import { call } from '../../../data/api.ts';
import { startCheck } from '../check/checks.ts';
import { useModelsRefresh } from '../data.ts';
import { FormDialog, textOf } from '../form-dialog.tsx';

export function ImportForm({ onClose }: { onClose: () => void }) {
  const refresh = useModelsRefresh();
  const save = async (form: FormData) => {
    await importModel(form);
    void startCheck({ model: textOf(form, 'id'), onEnd: refresh });
  };
  return (
    <FormDialog title="Import a model" action="Import" onClose={onClose} save={save}>
      <p className="quiet small">
        From the machine that the daemon runs on: a GGUF file, or a folder with one, with config.json and
        onnx/, or with askd.json.
      </p>
      <label className="field">
        <span className="label">Path</span>
        <input name="path" required placeholder="/home/me/models/model.gguf" />
      </label>
      <label className="field">
        <span className="label">Name here</span>
        <input
          name="id"
          required
          maxLength={100}
          pattern="[A-Za-z0-9]+([._\/\-][A-Za-z0-9]+)*"
          placeholder="my-model"
        />
      </label>
      <label className="field">
        <span className="label">Projector</span>
        <input name="projector" placeholder="for a vision model: mmproj-….gguf" />
      </label>
      <div className="pair">
        <label className="field">
          <span className="label">Engine</span>
          <select name="engine">
            <option value="">the one for its files</option>
            {['llama', 'vision', 'onnx', 'diffusion'].map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label className="field">
          <span className="label">Files</span>
          <select name="mode">
            <option value="link">use them in place</option>
            <option value="copy">copy them into the home folder</option>
          </select>
        </label>
      </div>
    </FormDialog>
  );
}

function importModel(form: FormData): Promise<unknown> {
  const names = ['path', 'id', 'projector', 'engine', 'mode'] as const;
  const given = names.map((name) => [name, textOf(form, name)] as const).filter(([, text]) => text !== '');
  return call('POST', '/api/daemon/import', Object.fromEntries(given));
}
