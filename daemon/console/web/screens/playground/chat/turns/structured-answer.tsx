import { useEffect, useState } from 'react';
import type { AskedFormat } from '../state/turn.ts';
import { formatted, readJson } from '../settings/json.ts';

type Props = { text: string; format: AskedFormat; isGrowing: boolean };

/** An answer in JSON, formatted and compared with what was requested. */
export function StructuredAnswer({ text, format, isGrowing }: Props) {
  return (
    <div className="structured">
      {!isGrowing && <Comparison text={text} format={format} />}
      <pre tabIndex={0} aria-label="The answer as JSON">
        {isGrowing ? text : formatted(text)}
      </pre>
    </div>
  );
}

function Comparison({ text, format }: { text: string; format: AskedFormat }) {
  const read = readJson(text);
  const problems = useProblems(read.problem ? undefined : read.value, format);
  if (read.problem) {
    const { line, column, message } = read.problem;
    return (
      <p className="problem">
        This is not complete JSON. Line {line}, column {column}: {message}.
      </p>
    );
  }
  if (problems === undefined) return null;
  if (problems.length === 0)
    return (
      <p>
        <span className="badge good">{format.kind === 'schema' ? 'matches the schema' : 'valid JSON'}</span>
      </p>
    );
  return (
    <ul className="problem" aria-label="What does not match the schema">
      {problems.map((problem, index) => (
        <li key={index}>{problem}</li>
      ))}
    </ul>
  );
}

/** Undefined until the validator is loaded, which only answers with a schema need. */
function useProblems(value: unknown, format: AskedFormat): readonly string[] | undefined {
  const [problems, setProblems] = useState<readonly string[]>();
  useEffect(() => {
    let isCurrent = true;
    void import('./schema-problems.ts').then(({ schemaProblems }) => {
      if (isCurrent) setProblems(format.kind === 'schema' ? schemaProblems(format.schema, value) : []);
    });
    return () => {
      isCurrent = false;
    };
    // The value is parsed again each time; equal text is an equal value.
  }, [JSON.stringify(value), format]);
  return problems;
}
