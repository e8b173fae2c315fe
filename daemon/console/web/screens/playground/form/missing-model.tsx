import { Link } from 'wouter';
import type { Model } from '../../../../../../src/api/management/models.ts';
import { ownsMachine } from '../../../data/person.ts';
import { isMissing } from './service-models.ts';

/** Shown before anything is sent to a model that is not here. */
export function MissingModel({ model }: { model: Model | undefined }) {
  if (model === undefined || !isMissing(model)) return null;
  const { id, local } = model;
  return (
    <div className="notice" role="status">
      {local.state === 'downloading' ? (
        <p>
          <strong>{id}</strong> is being downloaded.{' '}
          {ownsMachine() && <Link href="/models">See its progress</Link>}
        </p>
      ) : (
        <p>
          No model on this machine serves <strong>{id}</strong>.{' '}
          {ownsMachine() ? (
            <>
              Install one under <Link href="/models">Models</Link>, or with <code>askd pull {id}</code>
            </>
          ) : (
            'Its owner can install one.'
          )}
        </p>
      )}
      {local.notice !== undefined && <p className="small">{local.notice}</p>}
    </div>
  );
}
