using System;
using System.Collections.Generic;
using System.Linq;

namespace LicencePortal
{
    /// <summary>A conversion that the portal hasn't confirmed.</summary>
    internal sealed class UsageEvent
    {
        public string LicenceCode, Id, AtUtc;
    }

    /// <summary>The seat of this device and user. Programs that share the state share the seat.</summary>
    internal sealed class StoredSeat
    {
        public string Id, SessionId, Proof;
        /// <summary>True if it was borrowed. Then it isn't released when the programs end.</summary>
        public bool IsBorrowed;
        /// <summary>Running programs that use the seat. The last one releases it.</summary>
        public List<string> Holders = new List<string>();
    }

    /// <summary>State stored between runs, shared by all programs of one user.</summary>
    internal sealed class State
    {
        public string LicenceCode, MachineToken, Proof, LicenceFile, RequestCode, RequestNonce;
        public StoredSeat Seat;
        public KeySet Keys = new KeySet(), ReleaseKeys = new KeySet();
        public Dictionary<string, long> UpdateSequences = new Dictionary<string, long>();
        public TimeSpan ClockOffset;
        public DateTime LatestTrusted;
        public List<UsageEvent> Usage = new List<UsageEvent>();

        public string ToJson()
        {
            var json = new JsonObject
            {
                { "licenceCode", LicenceCode }, { "machineToken", MachineToken }, { "proof", Proof }, { "licenceFile", LicenceFile },
                { "requestCode", RequestCode }, { "requestNonce", RequestNonce }, { "keys", ToJson(Keys) }, { "releaseKeys", ToJson(ReleaseKeys) },
                { "updateSequences", ToJson(UpdateSequences) }, { "clockOffset", ClockOffset.Ticks }, { "latestTrusted", LatestTrusted.Ticks },
                { "usage", Usage.Select(one => new JsonObject { { "licenceCode", one.LicenceCode }, { "id", one.Id }, { "atUtc", one.AtUtc } }) },
            };
            if (Seat != null)
                json["seat"] = new JsonObject { { "id", Seat.Id }, { "sessionId", Seat.SessionId }, { "proof", Seat.Proof }, { "isBorrowed", Seat.IsBorrowed }, { "holders", Seat.Holders } };
            return Json.Write(json);
        }

        /// <exception cref="FormatException">The text isn't a state.</exception>
        public static State FromJson(string text)
        {
            if (!(Json.Parse(text) is JsonObject json)) throw new FormatException("The state is no object.");
            var seat = json.Object("seat");
            return new State
            {
                LicenceCode = json.Text("licenceCode"), MachineToken = json.Text("machineToken"), Proof = json.Text("proof"),
                LicenceFile = json.Text("licenceFile"), RequestCode = json.Text("requestCode"), RequestNonce = json.Text("requestNonce"),
                Keys = ReadKeys(json.Object("keys")), ReleaseKeys = ReadKeys(json.Object("releaseKeys")),
                UpdateSequences = (json.Object("updateSequences") ?? new JsonObject()).ToDictionary(one => one.Key, one => one.Value as long? ?? 0),
                ClockOffset = new TimeSpan(json.Integer("clockOffset") ?? 0), LatestTrusted = new DateTime(json.Integer("latestTrusted") ?? 0, DateTimeKind.Utc),
                Usage = json.Objects("usage").Select(one => new UsageEvent { LicenceCode = one.Text("licenceCode"), Id = one.Text("id"), AtUtc = one.Text("atUtc") }).ToList(),
                Seat = seat == null ? null : new StoredSeat
                {
                    Id = seat.Text("id"), SessionId = seat.Text("sessionId"), Proof = seat.Text("proof"), IsBorrowed = seat.IsTrue("isBorrowed"), Holders = seat.Texts("holders") ?? new List<string>(),
                },
            };
        }

        /// <summary>Forgets the device on its licence. Usage stays until it is reported.</summary>
        public void ForgetDevice()
        {
            MachineToken = Proof = LicenceFile = RequestCode = RequestNonce = null;
            Seat = null;
        }

        static JsonObject ToJson<T>(Dictionary<string, T> values)
        {
            var json = new JsonObject();
            foreach (var pair in values) json[pair.Key] = pair.Value;
            return json;
        }

        static KeySet ReadKeys(JsonObject json)
        {
            var keys = new KeySet();
            foreach (var pair in json ?? new JsonObject()) if (pair.Value is string point) keys[pair.Key] = point;
            return keys;
        }
    }
}
