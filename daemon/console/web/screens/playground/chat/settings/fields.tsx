import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { problemOf, type NumberControl } from './controls.ts';
import { formatted, readJson } from './json.ts';

type Common = {
  label: string;
  hint?: ReactNode;
  /** The daemon's or the form's own objection to the value. */
  problem?: string | undefined;
};

function Notes({ id, hint, problem }: { id: string; hint?: ReactNode; problem?: string | undefined }) {
  return (
    <span id={id} className="notes small">
      {hint !== undefined && <span className="quiet">{hint}</span>}
      {problem && (
        <span className="wrong" role="alert">
          {problem}
        </span>
      )}
    </span>
  );
}

type NumberProps = {
  control: NumberControl;
  value: string;
  problem?: string | undefined;
  onChange: (value: string) => void;
};

export function NumberField({ control, value, problem, onChange }: NumberProps) {
  const id = useId();
  const { label, hint, min, max, step } = control;
  const wrong = problemOf(control, value) || problem;
  return (
    <div className="field">
      <label className="label" htmlFor={`${id}-input`}>
        {label}
      </label>
      <input
        id={`${id}-input`}
        type="number"
        inputMode="decimal"
        {...{ min, max, step }}
        value={value}
        placeholder="default"
        aria-invalid={Boolean(wrong)}
        aria-describedby={id}
        onChange={(event) => onChange(event.target.value)}
      />
      <Notes id={id} hint={hint} problem={wrong} />
    </div>
  );
}

type TextProps = Common & {
  value: string;
  rows?: number;
  isCode?: boolean;
  onChange: (value: string) => void;
};

export function TextField({ label, hint, problem, value, rows = 3, isCode = false, onChange }: TextProps) {
  const id = useId();
  return (
    <div className="field">
      <label className="label" htmlFor={`${id}-input`}>
        {label}
      </label>
      <textarea
        id={`${id}-input`}
        rows={rows}
        className={isCode ? 'code-input' : undefined}
        spellCheck={!isCode}
        value={value}
        aria-invalid={Boolean(problem)}
        aria-describedby={id}
        onChange={(event) => onChange(event.target.value)}
      />
      <Notes id={id} hint={hint} problem={problem} />
    </div>
  );
}

type Option = { value: string; label: string };
type SelectProps = Common & { value: string; options: readonly Option[]; onChange: (value: string) => void };

export function SelectField({ label, hint, problem, value, options, onChange }: SelectProps) {
  const id = useId();
  return (
    <div className="field">
      <label className="label" htmlFor={`${id}-input`}>
        {label}
      </label>
      <select
        id={`${id}-input`}
        value={value}
        aria-describedby={id}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Notes id={id} hint={hint} problem={problem} />
    </div>
  );
}

type JsonProps = TextProps & { examples?: Readonly<Record<string, unknown>> };

/** JSON, with its first error while it is typed, and examples to start from. */
export function JsonField({ label, hint, problem, value, rows = 8, examples = {}, onChange }: JsonProps) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const read = value.trim() === '' ? undefined : readJson(value);
  const goThere = () => {
    const offset = read?.problem?.offset ?? 0;
    area.current?.focus();
    area.current?.setSelectionRange(offset, offset + 1);
  };
  return (
    <div className="field">
      <label className="label" htmlFor={`${id}-input`}>
        {label}
      </label>
      <textarea
        id={`${id}-input`}
        ref={area}
        rows={rows}
        className="code-input"
        spellCheck={false}
        value={value}
        aria-invalid={Boolean(problem)}
        aria-describedby={id}
        onChange={(event) => onChange(event.target.value)}
      />
      <Notes id={id} hint={hint} problem={problem} />
      <div className="row">
        {Object.entries(examples).map(([name, example]) => (
          <button key={name} type="button" onClick={() => onChange(JSON.stringify(example, null, 2))}>
            {name}
          </button>
        ))}
        {read?.problem && (
          <button type="button" onClick={goThere}>
            Go to the error
          </button>
        )}
        {read && !read.problem && formatted(value) !== value && (
          <button type="button" onClick={() => onChange(formatted(value))}>
            Format
          </button>
        )}
        {value !== '' && (
          <button type="button" onClick={() => onChange('')}>
            Empty
          </button>
        )}
      </div>
    </div>
  );
}

type SectionProps = { title: string; note?: string | undefined; hasProblem: boolean; children: ReactNode };

/** Folded until it is opened, or until something in it must be corrected. */
export function Section({ title, note, hasProblem, children }: SectionProps) {
  const [isOpen, setOpen] = useState(hasProblem);
  useEffect(() => {
    if (hasProblem) setOpen(true);
  }, [hasProblem]);
  return (
    <details className="section" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {title} {note !== undefined && <span className="badge">{note}</span>}
      </summary>
      <div className="stack">{children}</div>
    </details>
  );
}
