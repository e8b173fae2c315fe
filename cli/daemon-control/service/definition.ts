/** What a service definition needs. */
export type ServiceParts = {
  /** A path to Node that survives version managers. */
  node: string;
  /** bin/askd-daemon.js of this installation. */
  entry: string;
  home: string;
  log: string;
};

export const SERVICE_NAME = 'askd';
export const LAUNCHD_LABEL = 'local.askd';
export const STOP_SECONDS = 20;

/** For launchd, as a user agent. */
export function launchdPlist({ node, entry, home, log }: ServiceParts): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LAUNCHD_LABEL}</string>
  <key>ProgramArguments</key>
  <array>
    <string>${xmlText(node)}</string>
    <string>${xmlText(entry)}</string>
  </array>
  <key>EnvironmentVariables</key>
  <dict>
    <key>ASKD_HOME</key>
    <string>${xmlText(home)}</string>
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ExitTimeOut</key>
  <integer>${STOP_SECONDS}</integer>
  <key>StandardOutPath</key>
  <string>${xmlText(log)}</string>
  <key>StandardErrorPath</key>
  <string>${xmlText(log)}</string>
</dict>
</plist>
`;
}

/** For the Windows task scheduler: at logon, without a time limit, restarted on failure. */
export function windowsTask({ node, entry, home }: ServiceParts): string {
  const run = `set "ASKD_HOME=${home}" && "${node}" "${entry}"`;
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>askd, a local model server</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <Enabled>true</Enabled>
    </LogonTrigger>
  </Triggers>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>3</Count>
    </RestartOnFailure>
    <Hidden>true</Hidden>
  </Settings>
  <Actions>
    <Exec>
      <Command>cmd.exe</Command>
      <Arguments>${xmlText(`/d /s /c "${run}"`)}</Arguments>
    </Exec>
  </Actions>
</Task>
`;
}

function xmlText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
