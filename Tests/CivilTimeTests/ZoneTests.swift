import BelfryModel
import CivilTime
import Foundation
import TestSupport
import Testing

/// The zones with the most unusual transitions, to the second.
@Suite struct ZoneTests {
  @Test(
    "a wall time that comes once is its instant",
    arguments: [
      ("Europe/Zurich", "2026-11-21T09:00", "2026-11-21T08:00:00Z"),
      ("Europe/Zurich", "2026-07-21T09:00", "2026-07-21T07:00:00Z"),
      ("America/New_York", "2026-11-21T09:00", "2026-11-21T14:00:00Z"),
      ("Asia/Kathmandu", "2026-11-21T09:00", "2026-11-21T03:15:00Z"),
      ("Europe/Dublin", "2026-01-15T09:00", "2026-01-15T09:00:00Z"),
      ("Europe/Dublin", "2026-07-15T09:00", "2026-07-15T08:00:00Z"),
      ("Australia/Lord_Howe", "2026-01-15T09:00", "2026-01-14T22:00:00Z"),
      ("Australia/Lord_Howe", "2026-07-15T09:00", "2026-07-14T22:30:00Z"),
      ("Africa/Casablanca", "2026-02-10T09:00", "2026-02-10T08:00:00Z"),
      ("Africa/Casablanca", "2026-03-10T09:00", "2026-03-10T09:00:00Z"),
      ("Europe/Zurich", "2099-07-01T09:00", "2099-07-01T07:00:00Z"),
      ("Europe/Zurich", "9999-12-31T23:59", "9999-12-31T22:59:00Z"),
    ])
  func exact(zone: String, wall: String, instant: String) throws {
    let zone = try TimeTesting.database.zone(zone)
    let (found, resolution) = zone.instant(of: try TimeTesting.wall(wall))
    #expect(found == (try TimeTesting.instant(instant)))
    #expect(resolution == .exact)
    #expect(zone.wallTime(at: found).description == wall)
  }

  @Test(
    "a wall time that the clocks skip moves forward by the length of the gap",
    arguments: [
      ("Europe/Zurich", "2026-03-29T02:30", "2026-03-29T03:30", "2026-03-29T01:30:00Z", 60),
      ("Europe/Zurich", "2026-03-29T02:00", "2026-03-29T03:00", "2026-03-29T01:00:00Z", 60),
      ("America/New_York", "2026-03-08T02:30", "2026-03-08T03:30", "2026-03-08T07:30:00Z", 60),
      ("Europe/Dublin", "2026-03-29T01:30", "2026-03-29T02:30", "2026-03-29T01:30:00Z", 60),
      ("Australia/Lord_Howe", "2026-10-04T02:15", "2026-10-04T02:45", "2026-10-03T15:45:00Z", 30),
      ("Africa/Casablanca", "2026-03-22T02:30", "2026-03-22T03:30", "2026-03-22T02:30:00Z", 60),
      ("Pacific/Apia", "2011-12-30T09:00", "2011-12-31T09:00", "2011-12-30T19:00:00Z", 1_440),
      ("Asia/Kathmandu", "1986-01-01T00:05", "1986-01-01T00:20", "1985-12-31T18:35:00Z", 15),
      ("Europe/Zurich", "2101-03-27T02:30", "2101-03-27T03:30", "2101-03-27T01:30:00Z", 60),
    ])
  func gap(zone: String, wall: String, shown: String, instant: String, minutes: Int) throws {
    let zone = try TimeTesting.database.zone(zone)
    let (found, resolution) = zone.instant(of: try TimeTesting.wall(wall))
    #expect(found == (try TimeTesting.instant(instant)))
    #expect(resolution == .gap(minutesMoved: minutes))
    #expect(zone.wallTime(at: found).description == shown)
  }

  @Test(
    "of a wall time that comes twice the first is meant",
    arguments: [
      ("Europe/Zurich", "2026-10-25T02:30", "2026-10-25T00:30:00Z"),
      ("America/New_York", "2026-11-01T01:30", "2026-11-01T05:30:00Z"),
      ("Europe/Dublin", "2026-10-25T01:30", "2026-10-25T00:30:00Z"),
      ("Australia/Lord_Howe", "2026-04-05T01:45", "2026-04-04T14:45:00Z"),
      ("Africa/Casablanca", "2026-02-15T02:30", "2026-02-15T01:30:00Z"),
      ("Pacific/Kwajalein", "1969-09-30T22:30", "1969-09-30T11:30:00Z"),
    ])
  func overlap(zone: String, wall: String, instant: String) throws {
    let zone = try TimeTesting.database.zone(zone)
    let (found, resolution) = zone.instant(of: try TimeTesting.wall(wall))
    #expect(found == (try TimeTesting.instant(instant)))
    #expect(resolution == .overlap)
    #expect(zone.wallTime(at: found).description == wall)
  }

  @Test("the minutes beside a gap and an overlap come once")
  func edges() throws {
    let zone = try TimeTesting.database.zone("Europe/Zurich")
    for wall in ["2026-03-29T01:59", "2026-03-29T03:00", "2026-10-25T01:59", "2026-10-25T03:00"] {
      #expect(zone.instant(of: try TimeTesting.wall(wall)).resolution == .exact, "\(wall)")
    }
    for (wall, resolution) in [("2026-10-25T02:00", Zone.Resolution.overlap), ("2026-10-25T02:59", .overlap)] {
      #expect(zone.instant(of: try TimeTesting.wall(wall)).resolution == resolution, "\(wall)")
    }
  }

  @Test("wall times are floored to the minute, before 1970 too")
  func floors() throws {
    #expect(Zone.utc.wallTime(at: Date(timeIntervalSince1970: 119.999)).description == "1970-01-01T00:01")
    #expect(Zone.utc.wallTime(at: Date(timeIntervalSince1970: -0.5)).description == "1969-12-31T23:59")
  }

  @Test(
    "instants that no calendar has do no harm", arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e17])
  func absurd(seconds: Double) throws {
    let instant = Date(timeIntervalSinceReferenceDate: seconds)
    for zone in [Zone.utc, try TimeTesting.database.zone("Europe/Zurich")] {
      #expect([0, 3_600, 7_200, 2_048].contains(zone.offset(at: instant)))
      #expect(WallTime(parsing: zone.wallTime(at: instant).description) != nil)
    }
  }

  @Test("zones are equal by name, and tell whether their rules are the same")
  func equality() throws {
    let zurich = try TimeTesting.database.zone("Europe/Zurich")
    let berlin = try TimeTesting.database.zone("Europe/Berlin")
    #expect(zurich == (try TimeTesting.database.zone("europe/zurich")))
    #expect(zurich != berlin)
    #expect(zurich.hasSameRules(as: try ZoneDatabase(environment: [:]).zone("Europe/Zurich")))
    #expect(!zurich.hasSameRules(as: berlin))
  }
}
