import { DownloadButton } from '../form/download-button.tsx';
import type { Drawing } from './drawing.ts';

type Props = { drawing: Drawing; isBusy: boolean; prompt: string; onRepeat: (seed: number) => void };

export function Pictures({ drawing: { pictures, progress }, isBusy, prompt, onRepeat }: Props) {
  return (
    <>
      {isBusy && progress && (
        <div className="drawing">
          <progress aria-label="Steps" value={progress.step} max={progress.steps} />
          <span className="small number">
            Step {progress.step} of {progress.steps}
          </span>
        </div>
      )}
      <ul className="pictures">
        {pictures.map(({ address, file, name, seed }) => (
          <li key={address}>
            <img src={address} alt={seed === undefined ? 'Preview' : prompt} />
            {seed === undefined ? (
              <span className="quiet small">Preview</span>
            ) : (
              <div className="row">
                <span className="small">Seed {seed}</span>
                <button type="button" onClick={() => onRepeat(seed)} aria-label={`Use seed ${seed}`}>
                  Use seed
                </button>
                <DownloadButton label={`Download ${name}`} name={name} content={() => file} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
