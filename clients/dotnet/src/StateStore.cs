using System;
using System.Diagnostics;
using System.IO;
using System.Text;
using System.Threading;

namespace LicencePortal
{
    /// <summary>Stores the state in one file, encrypted for the user. Programs of one user take turns: each change reads the file,
    /// changes it and writes it while it has the lock, and never while it waits for the network.</summary>
    internal sealed class StateStore
    {
        static readonly object InThisProcess = new object();
        /// <summary>How long another program may take for a change.</summary>
        static readonly TimeSpan LongestWait = TimeSpan.FromSeconds(5);
        /// <summary>How long another program, such as a virus scanner, may keep the lock file to itself.</summary>
        static readonly TimeSpan BriefWait = TimeSpan.FromMilliseconds(500);
        readonly LicenceSettings settings;
        /// <summary>What couldn't be written, for example on a full disk. It lasts as long as the program.</summary>
        State unwritten;

        public StateStore(LicenceSettings settings) { this.settings = settings; }

        string FilePath => Path.Combine(settings.Folder, settings.Sandbox ? "state-sandbox.bin" : "state.bin");

        public State Read() => Update(state => { }, false);

        /// <summary>Changes the state in turn with other programs. Returns what is now stored.</summary>
        public State Update(Action<State> change) => Update(change, true);

        State Update(Action<State> change, bool isWriting)
        {
            lock (InThisProcess)
            {
                using (TryLock())
                {
                    var state = unwritten ?? ReadFile();
                    change(state);
                    if (isWriting || unwritten != null) WriteFile(state);
                    return state;
                }
            }
        }

        /// <summary>Returns null if the folder can't be written or another program doesn't finish. Then the state is still
        /// better than none.</summary>
        IDisposable TryLock()
        {
            var waited = Stopwatch.StartNew();
            while (true)
            {
                FileStream file = null;
                // A folder that can't be created stays so.
                var longest = TimeSpan.Zero;
                try
                {
                    Directory.CreateDirectory(settings.Folder);
                    longest = BriefWait;
                    file = new FileStream(FilePath + ".lock", FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
                    longest = LongestWait;
                    file.Lock(0, 1);
                    return file;
                }
                catch (Exception error) when (error is IOException || error is UnauthorizedAccessException || error is NotSupportedException)
                {
                    file?.Dispose();
                    if (error is IOException && waited.Elapsed < longest) { Thread.Sleep(10); continue; }
                    settings.Report("The state can't be locked", error);
                    return null;
                }
            }
        }

        State ReadFile()
        {
            try
            {
                if (!File.Exists(FilePath)) return new State();
                return State.FromJson(Encoding.UTF8.GetString(DataProtection.Unprotect(File.ReadAllBytes(FilePath))));
            }
            catch (Exception error)
            {
                settings.Report("The state can't be read", error);
                // Keep a damaged file for support. The next activation returns the same device and token.
                try { File.Copy(FilePath, FilePath + ".unreadable", true); } catch (Exception) { /* Nothing more to save. */ }
                return new State();
            }
        }

        void WriteFile(State state)
        {
            try
            {
                var part = FilePath + ".part";
                using (var file = new FileStream(part, FileMode.Create, FileAccess.Write, FileShare.None))
                {
                    var bytes = DataProtection.Protect(Encoding.UTF8.GetBytes(state.ToJson()));
                    file.Write(bytes, 0, bytes.Length);
                    file.Flush(true);
                }
                // A crash leaves the old or the new state.
                if (File.Exists(FilePath)) File.Replace(part, FilePath, null); else File.Move(part, FilePath);
                unwritten = null;
            }
            catch (Exception error)
            {
                settings.Report("The state can't be written", error);
                unwritten = state;
            }
        }
    }
}
