type Props = {
  label: string;
  /** What a screen reader says before the label. */
  says?: string;
  name: string;
  content: () => Blob;
};

export function DownloadButton({ label, says, name, content }: Props) {
  return (
    <button type="button" onClick={() => download(name, content())}>
      {says !== undefined && <span className="hidden">{says}</span>}
      {label}
    </button>
  );
}

function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
